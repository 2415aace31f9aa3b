import { useQuery } from '@tanstack/react-query';
import type { CatalogEntry } from '../../api/types';
import { Button } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { Page } from '../../parts/page';
import { Loaded } from '../../parts/loaded';
import { serversQuery } from '../../shared/mcp/queries';
import { CatalogFilters } from './catalog-filters';
import styles from './catalog.module.css';
import { EntryCard } from './entry-card';
import { filtered, type CatalogFilter } from './filter';
import { catalogQuery, runtimeQuery, useReload } from './queries';
import { runtimeWords } from './runtimes';

interface CatalogScreenProps {
  filter: CatalogFilter;
  onFilter: (filter: CatalogFilter) => void;
}

/** The servers that can be installed, and those that cannot be installed here, with the reason. */
export function CatalogScreen({ filter, onFilter }: CatalogScreenProps) {
  const catalog = useQuery(catalogQuery);
  const runtime = useQuery(runtimeQuery).data;
  const reload = useReload();
  return (
    <Page
      title="Catalogue"
      lede={runtime === undefined ? 'Servers, each pinned to one version.' : runtimeWords(runtime)}
      actions={
        <Button icon="refresh" busy={reload.isPending} onClick={() => reload.mutate()}>
          Reload
        </Button>
      }
    >
      <Loaded query={catalog} what="The catalogue">
        {(entries) => (
          <>
            <CatalogFilters entries={entries} filter={filter} onFilter={onFilter} />
            <Shelf entries={filtered(entries, filter)} onClear={() => onFilter({})} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Shelf({ entries, onClear }: { entries: readonly CatalogEntry[]; onClear: () => void }) {
  const servers = useQuery(serversQuery).data ?? [];
  if (entries.length === 0)
    return (
      <Empty
        icon="filter"
        title="Nothing matches"
        actions={<Button onClick={onClear}>Clear the filter</Button>}
      >
        No server of the catalogue matches the filter. An operator adds entries of their own with
        CATALOG_DIRS.
      </Empty>
    );
  return (
    <ul className={styles.shelf} aria-label="Servers of the catalogue">
      {entries.map((entry) => (
        <EntryCard
          key={entry.id}
          entry={entry}
          installed={servers.some(({ catalogId }) => catalogId === entry.id)}
        />
      ))}
    </ul>
  );
}
