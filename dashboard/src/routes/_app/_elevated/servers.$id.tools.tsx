import { createFileRoute } from '@tanstack/react-router';
import { ToolsTab } from '../../../features/servers/tools/tools-tab';

export const Route = createFileRoute('/_app/_elevated/servers/$id/tools')({ component: Tools });

function Tools() {
  return <ToolsTab id={Route.useParams().id} />;
}
