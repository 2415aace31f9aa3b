import { createFileRoute } from '@tanstack/react-router';
import { CredentialsTab } from '../../../features/servers/credentials-tab';

export const Route = createFileRoute('/_app/_elevated/servers/$id/credentials')({ component: Credentials });

function Credentials() {
  return <CredentialsTab id={Route.useParams().id} />;
}
