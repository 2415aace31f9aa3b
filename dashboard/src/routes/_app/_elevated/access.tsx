import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { AccessScreen } from '../../../features/access/access-screen';

export const Route = createFileRoute('/_app/_elevated/access')({
  validateSearch: ({ server }: Record<string, unknown>): { server?: string | undefined } => ({
    server: typeof server === 'string' ? server : undefined,
  }),
  component: Access,
});

function Access() {
  const navigate = useNavigate();
  return (
    <AccessScreen
      server={Route.useSearch().server}
      onServer={(server) => void navigate({ to: '/access', search: { server }, replace: true })}
    />
  );
}
