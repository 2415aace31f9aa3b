import { createFileRoute } from '@tanstack/react-router';
import { ConnectTab } from '../../features/agents/connect/connect-tab';
import { useAgent } from '../../features/agents/queries';

export const Route = createFileRoute('/_app/agents/$id/connect')({ component: Connect });

function Connect() {
  const agent = useAgent(Route.useParams().id);
  return agent && <ConnectTab agent={agent} />;
}
