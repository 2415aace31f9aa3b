import { createFileRoute } from '@tanstack/react-router';
import { VerifyTab } from '../../../features/servers/verify-tab';

export const Route = createFileRoute('/_app/_elevated/servers/$id/')({ component: Verify });

function Verify() {
  return <VerifyTab id={Route.useParams().id} />;
}
