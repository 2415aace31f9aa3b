import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Agent, ListedIssue } from '../../../api/types';
import { Pill } from '../../../parts/status';
import { Table } from '../../../parts/table';
import { Ago, Since } from '../../../parts/time';
import { Avatar } from '../../../parts/who';
import { agentState } from '../agent-state';
import { workingQuery } from '../queries';
import styles from './agent-table.module.css';
import { Slots } from './slots';

/** More issues than this are only counted. */
const NAMED = 2;

export function AgentTable({ agents }: { agents: readonly Agent[] }) {
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
