import { Link } from '@tanstack/react-router';
import type { Agent } from '../../../api/types';
import { Pill } from '../../../parts/status';
import { Table } from '../../../parts/table';
import { Ago } from '../../../parts/time';
import { useNow } from '../../../parts/use-now';
import { Avatar } from '../../../parts/who';
import { agentState } from '../agent-state';
import styles from './agent-table.module.css';
import { Slots } from './slots';

export function AgentTable({ agents }: { agents: readonly Agent[] }) {
  const now = useNow();
  return (
    <div className={styles.card}>
      <Table label="Agents" columns={['Agent', 'State', 'Why', 'Works on', 'Last heartbeat']}>
        {agents.map((agent) => (
          <Row key={agent.id} agent={agent} now={now} />
        ))}
      </Table>
    </div>
  );
}

function Row({ agent, now }: { agent: Agent; now: number }) {
  const { id, name, description, lastHeartbeatAt } = agent;
  const { word, tone, icon, reason } = agentState(agent, now);
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
      <td data-label="Works on">
        <Slots agent={agent} />
      </td>
      <td data-label="Last heartbeat">
        {lastHeartbeatAt === null ? <span className="soft">Never</span> : <Ago iso={lastHeartbeatAt} />}
      </td>
    </tr>
  );
}
