import { createFileRoute } from '@tanstack/react-router';
import { CredentialsTab } from '../../../features/servers/credentials/credentials-tab';

export const Route = createFileRoute('/_app/_elevated/servers/$id/credentials')({
  validateSearch: ({ set }: Record<string, unknown>): { set?: string | undefined } => ({
    set: typeof set === 'string' ? set : undefined,
  }),
  component: Credentials,
});

function Credentials() {
  const { set } = Route.useSearch();
  return <CredentialsTab key={set} id={Route.useParams().id} chosen={set} />;
}
