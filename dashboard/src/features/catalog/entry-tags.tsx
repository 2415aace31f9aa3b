import type { CatalogEntry } from '../../api/types';
import { Tag } from '../../parts/status';

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
