import { Link } from '@tanstack/react-router';
import type { ToolCall } from '../../api/types';
import { LogTable } from '../../parts/log-table';
import { MarkedText } from '../../parts/marked-text';
import { Pill } from '../../parts/status';
import { CallDetails } from './call-details';
import styles from './calls.module.css';
import { outcomes } from './outcomes';
import type { CallSubject } from './queries';

interface CallTableProps {
  calls: readonly ToolCall[];
  of: CallSubject['kind'];
}

/** Calls, newest first. What all rows have in common, the subject of the list, has no column. */
export function CallTable({ calls, of }: CallTableProps) {
  return (
    <LogTable
      label="Tool calls"
      columns={[
        'Tool',
        ...(of === 'agent' ? [] : ['Agent']),
        ...(of === 'issue' ? [] : ['Issue']),
        'How it ended',
        'Took',
      ]}
      rows={calls}
      keyOf={({ id }) => id}
      timeOf={({ at }) => at}
      nameOf={({ toolName }) => `the call of ${toolName}`}
      cells={(call) => <Cells call={call} of={of} />}
      details={(call) => <CallDetails call={call} />}
    />
  );
}

function Cells({ call, of }: { call: ToolCall; of: CallSubject['kind'] }) {
  const { server, toolName, agent, user, issue, outcome, durationMs } = call;
  const { word, icon, tone } = outcomes[outcome];
  return (
    <>
      <td data-label="Tool" className={styles.tool}>
        <div>
          <code>
            <MarkedText text={toolName} />
          </code>
          {of !== 'server' && (
            <span className="soft small">
              <MarkedText text={server.name} />
            </span>
          )}
        </div>
      </td>
      {of !== 'agent' && (
        <td data-label="Agent">
          {agent?.name ?? <span className="soft">Trial by {user?.name ?? 'an Admin'}</span>}
        </td>
      )}
      {of !== 'issue' && (
        <td data-label="Issue">
          {issue === null ? (
            <span className="soft">None</span>
          ) : (
            <Link to="/i/$key" params={{ key: issue.key }} className="link" title={issue.title}>
              {issue.key}
            </Link>
          )}
        </td>
      )}
      <td data-label="Ended">
        <Pill tone={tone} icon={icon}>
          {word}
        </Pill>
      </td>
      <td data-label="Took" className={styles.took}>
        {durationMs} ms
      </td>
    </>
  );
}
