import { createFileRoute, Outlet } from '@tanstack/react-router';
import { ElevatedGate } from '../../session/elevated/elevated-gate';

/** Servers, Catalogue and Access: the screens that need elevated mode. */
export const Route = createFileRoute('/_app/_elevated')({ component: Elevated });

function Elevated() {
  return (
    <ElevatedGate>
      <Outlet />
    </ElevatedGate>
  );
}
