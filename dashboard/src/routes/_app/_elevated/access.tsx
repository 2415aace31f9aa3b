import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { AccessScreen, type AccessFilter } from '../../../features/access/access-screen';

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const Route = createFileRoute('/_app/_elevated/access')({
  validateSearch: ({ server, q }: Record<string, unknown>): AccessFilter => ({
    server: text(server),
    q: text(q),
  }),
  component: Access,
});

function Access() {
  const navigate = useNavigate();
  return (
    <AccessScreen
      filter={Route.useSearch()}
      onFilter={(search) => void navigate({ to: '/access', search, replace: true })}
    />
  );
}
