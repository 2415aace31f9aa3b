import { createFileRoute } from '@tanstack/react-router';
import { UsersScreen } from '../../features/settings/users/users-screen';
import { NeedsRole } from '../../session/me';

export const Route = createFileRoute('/_app/settings/users')({ component: Guarded });

function Guarded() {
  return (
    <NeedsRole role="Admin" to="see or change users">
      <UsersScreen />
    </NeedsRole>
  );
}
