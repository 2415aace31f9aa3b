import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client';
import { keys } from '../../api/keys';
import type { Agent } from '../../api/types';
import { agentKeysQuery, useAgent } from '../../features/agents/queries';
import { ApiKeys } from '../../parts/api-keys';
import { NeedsRole } from '../../session/me';

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

/** The keys by which an agent signs its requests; Admins only. */
function KeysTab({ agent: { id: agentId, name } }: { agent: Agent }) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: keys.apiKeys });
  return (
    <ApiKeys
      title="Keys"
      keys={useQuery(agentKeysQuery(agentId))}
      empty={`Without a key, ${name} cannot connect.`}
      consequence={`${name} goes on with its other keys, if it has any.`}
      create={async (body) => {
        const key = await bodyOf(
          api.POST('/api/agents/{agentId}/keys', { params: { path: { agentId } }, body }),
        );
        await refresh();
        return key;
      }}
      revoke={async ({ id: keyId }) => {
        await api.DELETE('/api/agents/{agentId}/keys/{keyId}', { params: { path: { agentId, keyId } } });
        await refresh();
      }}
    />
  );
}
