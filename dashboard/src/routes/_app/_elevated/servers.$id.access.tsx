import { createFileRoute } from '@tanstack/react-router';
import { AccessTab } from '../../../features/servers/access-tab';

export const Route = createFileRoute('/_app/_elevated/servers/$id/access')({ component: Access });

function Access() {
  return <AccessTab id={Route.useParams().id} />;
}
