import { createFileRoute } from '@tanstack/react-router';
import { NowTab } from '../../features/agents/now/now-tab';
import { useAgent } from '../../features/agents/queries';

export const Route = createFileRoute('/_app/agents/$id/now')({ component: Now });

function Now() {
  const agent = useAgent(Route.useParams().id);
  return agent && <NowTab agent={agent} />;
}
