import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { type ToolFilter, ToolsTab } from '../../features/agents/tools/tools-tab';
import { useAgent } from '../../features/agents/queries';
import { NeedsRole } from '../../session/me';

export const Route = createFileRoute('/_app/agents/$id/tools')({
  validateSearch: ({ q, show }: Record<string, unknown>): ToolFilter => ({
    q: typeof q === 'string' && q !== '' ? q : undefined,
    show: show === 'has' || show === 'has-not' ? show : undefined,
  }),
  component: Tools,
});

function Tools() {
  const { id } = Route.useParams();
  const agent = useAgent(id);
  const filter = Route.useSearch();
  const navigate = useNavigate();
  const onFilter = (search: ToolFilter) =>
    void navigate({ to: '/agents/$id/tools', params: { id }, search, replace: true, resetScroll: false });
  return (
    agent && (
      <NeedsRole role="Admin" to="see what an agent may use">
        <ToolsTab agent={agent} filter={filter} onFilter={onFilter} />
      </NeedsRole>
    )
  );
}
