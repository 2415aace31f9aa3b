import { createFileRoute } from '@tanstack/react-router';
import { LogsTab } from '../../../features/servers/logs/logs-tab';

export const Route = createFileRoute('/_app/_elevated/servers/$id/logs')({ component: Logs });

function Logs() {
  return <LogsTab id={Route.useParams().id} />;
}
