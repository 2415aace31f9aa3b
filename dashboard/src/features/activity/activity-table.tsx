import { Fragment, type ReactNode } from 'react';
import type { AuditEntry } from '../../api/types';
import { Icon } from '../../parts/icon';
import { LogTable } from '../../parts/log-table';
import { Who } from '../../parts/who';
import styles from './activity-table.module.css';
import { EntryDetails } from './entry-details';
import { useNames, type Names } from './names';
import { isRefusal, sentenceOf } from './sentence-of';

/** Entries of the audit; a row opens to everything that the log holds of it. */
export function ActivityTable({ entries, footer }: { entries: readonly AuditEntry[]; footer: ReactNode }) {
  const names = useNames();
  return (
    <div className={styles.card}>
      <LogTable
        label="Activity"
        columns={['Who', 'What', 'Type']}
        rows={entries}
        keyOf={({ id }) => String(id)}
        timeOf={({ at }) => at}
        nameOf={({ type }) => type}
        cells={(entry) => <Cells entry={entry} names={names} />}
        details={(entry) => <EntryDetails entry={entry} />}
      />
      <footer className={styles.footer}>{footer}</footer>
    </div>
  );
}

function Cells({ entry, names }: { entry: AuditEntry; names: Names }) {
  const { actor, type } = entry;
  const who = actor.type === 'system' ? null : actor;
  return (
    <>
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
    </>
  );
}
