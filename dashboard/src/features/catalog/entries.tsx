import { Link } from '@tanstack/react-router';
import type { CatalogEntry } from '../../api/types';
import { Icon } from '../../parts/icon';
import { Pill, Tag } from '../../parts/status';
import styles from './catalog.module.css';

/** Why an entry cannot be installed here. The service's sentence ends with a request that "Reload" makes on this page. */
export function reasonHere({ installableReason }: Pick<CatalogEntry, 'installableReason'>): string {
  return (installableReason ?? '').replace(
    / and look again with GET \S+$/,
    ', and press Reload in the catalogue.',
  );
}

/** What the catalogue is narrowed to; it lives in the query string. */
export interface CatalogFilter {
  category?: CatalogEntry['category'] | undefined;
  q?: string | undefined;
  /** Leaves out what this host cannot install. */
  here?: boolean | undefined;
}

export const categories = {
  database: 'Database',
  dev: 'Development',
  cloud: 'Cloud',
  search: 'Search',
  saas: 'SaaS',
  productivity: 'Productivity',
} as const satisfies Record<CatalogEntry['category'], string>;

/** The entries that contain every word of the search and pass the other filters, by name. */
export function filtered(
  entries: readonly CatalogEntry[],
  { category, q = '', here }: CatalogFilter,
): CatalogEntry[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return entries
    .filter((entry) => category === undefined || entry.category === category)
    .filter((entry) => !here || entry.installable)
    .filter((entry) => words.every((word) => textOf(entry).includes(word)))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

/** How many entries each category has under the other filters. */
export function countsOf(
  entries: readonly CatalogEntry[],
  filter: CatalogFilter,
): Map<CatalogEntry['category'], number> {
  const counts = new Map<CatalogEntry['category'], number>();
  for (const { category } of filtered(entries, { ...filter, category: undefined }))
    counts.set(category, (counts.get(category) ?? 0) + 1);
  return counts;
}

function textOf({ id, name, description, publisher }: CatalogEntry): string {
  return `${id} ${name} ${description} ${publisher ?? ''}`.toLowerCase();
}

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
