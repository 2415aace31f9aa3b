import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { InstallScreen } from '../../../features/catalog/wizard/install-screen';

export const Route = createFileRoute('/_app/_elevated/catalog/$id')({
  validateSearch: ({ server }: Record<string, unknown>): { server?: string | undefined } => ({
    server: typeof server === 'string' ? server : undefined,
  }),
  component: Install,
});

function Install() {
  const { id } = Route.useParams();
  const { server } = Route.useSearch();
  const navigate = useNavigate();
  return (
    <InstallScreen
      key={id}
      id={id}
      serverId={server}
      onInstalled={(made) =>
        void navigate({ to: '/catalog/$id', params: { id }, search: { server: made }, replace: true })
      }
      onDone={(made) => void navigate({ to: '/servers/$id', params: { id: made } })}
    />
  );
}
