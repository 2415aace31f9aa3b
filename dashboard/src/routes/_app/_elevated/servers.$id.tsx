import { createFileRoute, Outlet, useNavigate } from '@tanstack/react-router';
import { ServerLayout } from '../../../features/servers/server-layout';

export const Route = createFileRoute('/_app/_elevated/servers/$id')({ component: Server });

function Server() {
  const { id } = Route.useParams();
  const navigate = useNavigate();
  return (
    <ServerLayout key={id} id={id} onRemoved={() => void navigate({ to: '/servers', replace: true })}>
      <Outlet />
    </ServerLayout>
  );
}
