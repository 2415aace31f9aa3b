import { createFileRoute } from '@tanstack/react-router';
import { useAgent } from '../../features/agents/queries';
import { TodayTab } from '../../features/agents/today/today-tab';

export const Route = createFileRoute('/_app/agents/$id/')({ component: Today });

function Today() {
  const agent = useAgent(Route.useParams().id);
  return agent && <TodayTab agent={agent} />;
}
