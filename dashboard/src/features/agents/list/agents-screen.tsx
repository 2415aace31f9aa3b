import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { agentsQuery, HEARTBEAT_REFRESH_MS } from '../../../api/lists';
import { useActions } from '../../../keyboard/use-actions';
import { Button } from '../../../parts/button';
import { Empty } from '../../../parts/empty';
import { ProblemNotice } from '../../../parts/notice';
import { Page } from '../../../parts/page';
import { Skeleton } from '../../../parts/skeleton';
import { useMe } from '../../../session/me';
import { hasRole } from '../../../session/roles';
import { HaltButton } from '../../../session/halt/halt-button';
import { CreateAgent } from '../create-agent';
import { AgentTable } from './agent-table';

/** All agents: who works on what, who is silent, and the brake for all of them. */
export function AgentsScreen() {
  const agents = useQuery({ ...agentsQuery, refetchInterval: HEARTBEAT_REFRESH_MS });
  const admin = hasRole(useMe(), 'Admin');
  const [creating, setCreating] = useState(false);
  const create = () => setCreating(true);
  useActions([
    {
      id: 'create-agent',
      name: 'New agent',
      icon: 'plus',
      group: 'Create',
      available: admin,
      perform: create,
    },
  ]);
  const newAgent = (
    <Button look="primary" icon="plus" onClick={create}>
      New agent
    </Button>
  );
  return (
    <Page
      title="Agents"
      lede="Programs of yours that take issues, work on them and use the tools you grant."
      actions={
        admin && (
          <>
            <HaltButton />
            {newAgent}
          </>
        )
      }
    >
      {agents.isPending && <Skeleton rows={4} label="Loading agents" />}
      {agents.isError && (
        <ProblemNotice
          title="The agents cannot be shown"
          error={agents.error}
          onRetry={() => void agents.refetch()}
        />
      )}
      {agents.data?.length === 0 && <NoAgents action={admin ? newAgent : null} />}
      {agents.data && agents.data.length > 0 && <AgentTable agents={agents.data} />}
      {creating && <Creating onClose={() => setCreating(false)} />}
    </Page>
  );
}

function Creating({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <CreateAgent
      onClose={onClose}
      onOpen={({ id }) => void navigate({ to: '/agents/$id', params: { id } })}
    />
  );
}

function NoAgents({ action }: { action: React.ReactNode }) {
  return (
    <Empty icon="agent" title="No agents yet" actions={action}>
      An agent is a program of yours that asks for work.{' '}
      {action ? 'Create one: you get an address and a key.' : 'An Admin creates one.'}
    </Empty>
  );
}
