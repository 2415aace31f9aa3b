import { Link } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import type { ToolCall } from '../../api/types';
import { IconButton } from '../../parts/button';
import { classes } from '../../parts/classes';
import { MarkedText } from '../../parts/marked-text';
import { Pill } from '../../parts/status';
import { Table } from '../../parts/table';
import { clockTime, shortTime, Time } from '../../parts/time';
import { CallDetails } from './call-details';
import styles from './calls.module.css';
import { outcomes } from './outcomes';
import type { CallSubject } from './queries';

/** Calls, newest first. What all rows have in common, the subject of the list, has no column. */
export function CallTable({ calls, of }: { calls: readonly ToolCall[]; of: CallSubject['kind'] }) {
  const [open, setOpen] = useState<string | null>(null);
  const columns = [
    'Time',
    'Tool',
    ...(of === 'agent' ? [] : ['Agent']),
    ...(of === 'issue' ? [] : ['Issue']),
  ];
  return (
    <Table label="Tool calls" columns={[...columns, 'How it ended', 'Took', '']}>
      {calls.map((call) => (
        <Fragment key={call.id}>
          <Row
            call={call}
            of={of}
            open={open === call.id}
            onToggle={() => setOpen(open === call.id ? null : call.id)}
          />
          {open === call.id && (
            <tr className={styles.opened} id={`call-${call.id}`}>
              <td colSpan={columns.length + 3}>
                <CallDetails call={call} />
              </td>
            </tr>
          )}
        </Fragment>
      ))}
    </Table>
  );
}

interface RowProps {
  call: ToolCall;
  of: CallSubject['kind'];
  open: boolean;
  onToggle: () => void;
}

function Row({ call, of, open, onToggle }: RowProps) {
  const { id, at, server, toolName, agent, user, issue, outcome, durationMs } = call;
  const { word, icon, tone } = outcomes[outcome];
  return (
    <tr onClick={onToggle} className={styles.row}>
      <td className={styles.time}>
        {shortTime(at).includes(':') ? <time dateTime={at}>{clockTime(at)}</time> : <Time iso={at} />}
      </td>
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
      <td className={styles.toggle}>
        <IconButton
          icon="right"
          small
          label={`Details of the call of ${toolName} at ${clockTime(at)}`}
          aria-expanded={open}
          aria-controls={open ? `call-${id}` : undefined}
          className={classes(open && styles.turned)}
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
        />
      </td>
    </tr>
  );
}
