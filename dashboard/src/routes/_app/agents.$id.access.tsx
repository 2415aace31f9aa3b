import { createFileRoute } from '@tanstack/react-router';
import { AccessTab } from '../../features/agents/access/access-tab';
import { useAgent } from '../../features/agents/queries';
import { NeedsRole } from '../../session/me';

export const Route = createFileRoute('/_app/agents/$id/access')({ component: Access });

function Access() {
  const agent = useAgent(Route.useParams().id);
  return (
    agent && (
      <NeedsRole role="Admin" to="see the access of an agent">
        <AccessTab agent={agent} />
      </NeedsRole>
    )
  );
}
