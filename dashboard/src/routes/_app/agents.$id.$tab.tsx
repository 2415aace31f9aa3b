import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { api, bodyOf } from '../../api/client';
import { keys } from '../../api/keys';
import type { Agent } from '../../api/types';
import { AccessTab } from '../../features/agents/access/access-tab';
import { ConnectTab } from '../../features/agents/connect/connect-tab';
import { NowTab } from '../../features/agents/now/now-tab';
import { agentKeysQuery, useAgent } from '../../features/agents/queries';
import { ApiKeys } from '../../parts/api-keys';
import { isTab } from '../../parts/page';
import { NeedsRole } from '../../session/me';
import { ElevatedGate } from '../../session/elevated/elevated-gate';
import { CallsScreen } from '../../shared/calls/call-list';

const names = ['access', 'calls', 'connect', 'keys', 'now'] as const;

type Name = (typeof names)[number];

/** The tabs of an agent of which nothing is in the query string. Any other address below an agent is that of no screen. */
export const Route = createFileRoute('/_app/agents/$id/$tab')({
  params: { parse: ({ tab }) => isTab(names, tab) && { tab } },
  component: AgentTab,
});

const tabs: Record<Name, ComponentType<{ agent: Agent }>> = {
  access: Access,
  calls: Calls,
  connect: ConnectTab,
  keys: Keys,
  now: NowTab,
};

function AgentTab() {
  const { id, tab } = Route.useParams();
  const agent = useAgent(id);
  const Tab = tabs[tab];
  return agent && <Tab agent={agent} />;
}

function Access({ agent }: { agent: Agent }) {
  return (
    <NeedsRole role="Admin" to="see the access of an agent">
      <AccessTab agent={agent} />
    </NeedsRole>
  );
}

function Calls({ agent: { id } }: { agent: Agent }) {
  return (
    <ElevatedGate>
      <CallsScreen subject={{ kind: 'agent', id }} />
    </ElevatedGate>
  );
}

function Keys({ agent }: { agent: Agent }) {
  return (
    <NeedsRole role="Admin" to="see or change the keys of an agent">
      <KeysTab agent={agent} />
    </NeedsRole>
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
