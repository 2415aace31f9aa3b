import { createFileRoute } from '@tanstack/react-router';
import { CallsScreen } from '../../../shared/calls/call-list';

export const Route = createFileRoute('/_app/_elevated/servers/$id/calls')({ component: Calls });

function Calls() {
  return <CallsScreen subject={{ kind: 'server', id: Route.useParams().id }} />;
}
