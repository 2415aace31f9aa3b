import { createFileRoute } from '@tanstack/react-router';
import { KeysTab } from '../../features/agents/keys/keys-tab';
import { useAgent } from '../../features/agents/queries';
import { NeedsRole } from '../../session/needs-role';

export const Route = createFileRoute('/_app/agents/$id/keys')({ component: Keys });

function Keys() {
  const agent = useAgent(Route.useParams().id);
  return (
    agent && (
      <NeedsRole role="Admin" to="see or change the keys of an agent">
        <KeysTab agent={agent} />
      </NeedsRole>
    )
  );
}
