import { Fragment, useState, type ReactNode } from 'react';
import type { AuditEntry } from '../../api/types';
import { IconButton } from '../../parts/button';
import { Icon } from '../../parts/icon';
import { classes } from '../../parts/classes';
import { Table } from '../../parts/table';
import { clockTime, shortTime, Time } from '../../parts/time';
import { Who } from '../../parts/who';
import styles from './activity-table.module.css';
import { EntryDetails } from './entry-details';
import { useNames, type Names } from './names';
import { isRefusal, sentenceOf } from './sentence-of';

/** Entries under the day on which they happened; a row opens to everything that the log holds of it. */
export function ActivityTable({ entries, footer }: { entries: readonly AuditEntry[]; footer: ReactNode }) {
  const names = useNames();
  const [open, setOpen] = useState<string | null>(null);
  return (
    <div className={styles.card}>
      <Table label="Activity" columns={['Time', 'Who', 'What', 'Type', '']}>
        {entries.map((entry) => (
          <Fragment key={entry.id}>
            <Row
              entry={entry}
              names={names}
              open={open === entry.id}
              onToggle={() => setOpen(open === entry.id ? null : entry.id)}
            />
            {open === entry.id && (
              <tr className={styles.opened} id={`details-${entry.id}`}>
                <td colSpan={5}>
                  <EntryDetails entry={entry} />
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </Table>
      <footer className={styles.footer}>{footer}</footer>
    </div>
  );
}

interface RowProps {
  entry: AuditEntry;
  names: Names;
  open: boolean;
  onToggle: () => void;
}

function Row({ entry, names, open, onToggle }: RowProps) {
  const { id, at, actor, type } = entry;
  const who = actor.type === 'system' ? null : actor;
  return (
    <tr onClick={onToggle} className={styles.row}>
      <td className={styles.time}>
        {shortTime(at).includes(':') ? <time dateTime={at}>{clockTime(at)}</time> : <Time iso={at} />}
      </td>
      <td>{who === null ? <span className="soft">The service</span> : <Who party={who} />}</td>
      <td className={styles.sentence}>
        {isRefusal(entry) && <Icon name="error" small />}
        {sentenceOf(entry, names).map(({ text, strong }, index) =>
          strong ? <b key={index}>{text}</b> : <Fragment key={index}>{text}</Fragment>,
        )}
      </td>
      <td className={styles.type}>
        <code>{type}</code>
      </td>
      <td className={styles.toggle}>
        <IconButton
          icon="right"
          small
          label={`Details of ${type} at ${clockTime(at)}`}
          aria-expanded={open}
          aria-controls={open ? `details-${id}` : undefined}
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
