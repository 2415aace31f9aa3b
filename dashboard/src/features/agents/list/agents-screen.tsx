import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { agentsQuery, HEARTBEAT_REFRESH_MS } from '../../../api/lists';
import type { Agent, ListedIssue } from '../../../api/types';
import { useActions } from '../../../keyboard/use-actions';
import { Button } from '../../../parts/button';
import { Empty, ProblemNotice } from '../../../parts/notice';
import { Page } from '../../../parts/page';
import { Skeleton } from '../../../parts/skeleton';
import { Pill } from '../../../parts/status';
import { Table } from '../../../parts/table';
import { Ago, Since } from '../../../parts/time';
import { Avatar } from '../../../parts/who';
import { HaltButton } from '../../../session/halt/halt-button';
import { hasRole, useMe } from '../../../session/me';
import { agentState, workingQuery } from '../queries';
import { CreateAgent } from '../create-agent';
import styles from './agents-screen.module.css';
import { Slots } from './slots';

/** More issues than this are only counted. */
const NAMED = 2;

function AgentTable({ agents }: { agents: readonly Agent[] }) {
  const working = useQuery(workingQuery).data;
  return (
    <div className={styles.card}>
      <Table label="Agents" columns={['Agent', 'State', 'Why', 'Works on', 'Last heartbeat']}>
        {agents.map((agent) => (
          <Row key={agent.id} agent={agent} issues={working?.get(agent.id) ?? []} />
        ))}
      </Table>
    </div>
  );
}

interface RowProps {
  agent: Agent;
  issues: readonly ListedIssue[];
}

function Row({ agent, issues }: RowProps) {
  const { id, name, description, lastHeartbeatAt } = agent;
  const { word, tone, icon, reason } = agentState(agent);
  return (
    <tr>
      <td>
        <span className={styles.agent}>
          <Avatar party={{ type: 'agent', name }} />
          <span className="clip">
            <Link to="/agents/$id" params={{ id }} className={styles.name}>
              {name}
            </Link>
            {description !== '' && (
              <span className={`soft small clip ${styles.description}`} title={description}>
                {description}
              </span>
            )}
          </span>
        </span>
      </td>
      <td data-label="State">
        <Pill tone={tone} icon={icon}>
          {word}
        </Pill>
      </td>
      <td data-label="Why" className={`soft small ${styles.reason}`}>
        {reason}
      </td>
      <td data-label="Works on" className={styles.working}>
        <div>
          <Slots agent={agent} />
          {issues.slice(0, NAMED).map(({ id: issueId, key, title, statusSince }) => (
            <span key={issueId} className="small soft" title={title}>
              <Link to="/i/$key" params={{ key }} className="link">
                {key}
              </Link>{' '}
              for <Since iso={statusSince} />
            </span>
          ))}
        </div>
      </td>
      <td data-label="Last heartbeat">
        {lastHeartbeatAt === null ? <span className="soft">Never</span> : <Ago iso={lastHeartbeatAt} />}
      </td>
    </tr>
  );
}

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
