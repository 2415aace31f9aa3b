import { createFileRoute, notFound, Outlet } from '@tanstack/react-router';
import { agentsQuery } from '../../api/lists';
import { AgentScreen } from '../../features/agents/detail/agent-screen';
import { useAgent } from '../../features/agents/queries';
import { Missing } from '../../parts/notice';

export const Route = createFileRoute('/_app/agents/$id')({
  loader: async ({ context, params }) => {
    const agents = await context.queryClient.ensureQueryData(agentsQuery);
    if (!agents.some(({ id }) => id === params.id)) throw notFound();
  },
  component: AgentLayout,
  notFoundComponent: MissingAgent,
});

function MissingAgent() {
  return <Missing title="There is no such agent" to="/agents" label="All agents" />;
}

function AgentLayout() {
  const agent = useAgent(Route.useParams().id);
  // Retired by someone else while it was open.
  if (agent === null) return <MissingAgent />;
  return (
    <AgentScreen agent={agent}>
      <Outlet />
    </AgentScreen>
  );
}
