import { Link } from '@tanstack/react-router';
import type { CatalogEntry } from '../../api/types';
import { Icon } from '../../parts/icon';
import { Pill, Tag } from '../../parts/status';
import styles from './catalog.module.css';
import { reasonHere } from './filter';

/** One entry. What cannot be installed here stays visible, with the reason in place of the button. */
export function EntryCard({ entry, installed }: { entry: CatalogEntry; installed: boolean }) {
  return (
    <li className={styles.entry}>
      <div className={styles.top}>
        <span className={styles.logo} aria-hidden="true">
          {[...entry.name][0]}
        </span>
        <div>
          <h2>
            <Link to="/catalog/$id" params={{ id: entry.id }}>
              {entry.name}
            </Link>
          </h2>
          <p className="soft small clip">
            {entry.publisher ?? 'Unknown publisher'} · {entry.version}
          </p>
        </div>
        {installed && (
          <Pill tone="enabled" icon="enabled">
            Installed
          </Pill>
        )}
        {!installed && entry.installable && (
          <span className={styles.install} aria-hidden="true">
            Install
          </span>
        )}
      </div>
      <p>{entry.description}</p>
      {!entry.installable && (
        <p className={styles.reason}>
          <Icon name="disabled" small />
          {reasonHere(entry)}
        </p>
      )}
      <EntryTags entry={entry} />
    </li>
  );
}

const runtimes = { node: 'Node', python: 'Python', pipx: 'pipx', none: null } as const;

/** What one wants to know before one opens an entry. */
export function EntryTags({ entry }: { entry: CatalogEntry }) {
  const runtime = runtimes[entry.runtime];
  return (
    <div className="row">
      {entry.verified && (
        <Tag tone="resolved" icon="shield">
          Verified
        </Tag>
      )}
      <Tag>{entry.transport === 'stdio' ? (runtime ?? 'On this host') : 'Remote'}</Tag>
      {entry.requiresCredentials && <Tag>Needs a key</Tag>}
    </div>
  );
}
