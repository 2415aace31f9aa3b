import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { fleetViewOf } from '../../features/agents/fleet/fleet-order';
import { FleetScreen } from '../../features/agents/fleet/fleet-screen';

export const Route = createFileRoute('/_app/agents/')({
  validateSearch: fleetViewOf,
  component: Agents,
});

function Agents() {
  const navigate = useNavigate();
  return (
    <FleetScreen
      view={Route.useSearch()}
      onView={(search) => void navigate({ to: '/agents', search, replace: true, resetScroll: false })}
    />
  );
}
