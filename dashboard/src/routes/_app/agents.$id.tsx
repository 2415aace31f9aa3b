import { createFileRoute, notFound, Outlet } from '@tanstack/react-router';
import { agentsQuery } from '../../api/lists';
import { AgentScreen } from '../../features/agents/detail/agent-screen';
import { useAgent } from '../../features/agents/use-agent';
import { NotFoundScreen } from '../../shell/not-found-screen';

export const Route = createFileRoute('/_app/agents/$id')({
  loader: async ({ context, params }) => {
    const agents = await context.queryClient.ensureQueryData(agentsQuery);
    if (!agents.some(({ id }) => id === params.id)) throw notFound();
  },
  component: AgentLayout,
});

function AgentLayout() {
  const agent = useAgent(Route.useParams().id);
  // Retired by someone else while it was open.
  if (agent === null) return <NotFoundScreen />;
  return (
    <AgentScreen agent={agent}>
      <Outlet />
    </AgentScreen>
  );
}
