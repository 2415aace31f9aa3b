import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { bodyOf } from '../../api/client';
import { keys } from '../../api/keys';
import type { CatalogEntry } from '../../api/types';
import { useFilterField } from '../../keyboard/use-actions';
import { Button } from '../../parts/button';
import { inputClass } from '../../parts/field';
import { Empty, Loaded } from '../../parts/notice';
import { FilterBar, Page } from '../../parts/page';
import { announce, announceRefusal } from '../../parts/toasts';
import { mcp } from '../../session/elevated/elevated-mode';
import { serversQuery } from '../../shared/mcp/queries';
import styles from './catalog.module.css';
import { type CatalogFilter, categories, countsOf, EntryCard, filtered } from './entries';
import { ImportDialog } from './import-dialog';

/** All entries of the catalogue by id. */
const catalogQuery = queryOptions({
  queryKey: [...keys.catalog, 'list'],
  queryFn: () => bodyOf(mcp.GET('/api/mcp/catalog')),
});

/** The runtimes that the service finds on its host. */
const runtimeQuery = queryOptions({
  queryKey: [...keys.catalog, 'runtime'],
  queryFn: () => bodyOf(mcp.GET('/api/mcp/runtime')),
});

/** Reads the catalogue's files and the host's runtimes again. */
function useReload() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      await mcp.GET('/api/mcp/runtime', { params: { query: { refresh: true } } });
      return bodyOf(mcp.POST('/api/mcp/catalog/reload'));
    },
    onSuccess: async ({ entries }) => {
      announce(`The catalogue is read again: ${entries} entries`);
      await client.invalidateQueries({ queryKey: keys.catalog });
    },
    onError: (error) => announceRefusal('The former entries stay', error),
  });
}

interface Runtime {
  detected: boolean;
  version?: string;
}

const names = { node: 'Node', python: 'Python', pipx: 'pipx' } as const;

/** What the host has and lacks, as one sentence. */
export function runtimeWords(runtimes: Record<keyof typeof names, Runtime>): string {
  const all = (Object.keys(names) as (keyof typeof names)[]).map((id) => ({
    name: names[id],
    ...runtimes[id],
  }));
  const found = all.filter(({ detected }) => detected).map(({ name, version }) => `${name} ${version}`);
  const lacking = all.filter(({ detected }) => !detected).map(({ name }) => name);
  const has = found.length === 0 ? 'This host has no runtime' : `This host has ${list(found)}`;
  if (lacking.length === 0) return `Each server is pinned to one version. ${has}.`;
  const verb = lacking.length === 1 ? 'was' : 'were';
  return `Each server is pinned to one version. ${has}; ${list(lacking)} ${verb} not found.`;
}

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

interface CatalogScreenProps {
  filter: CatalogFilter;
  onFilter: (filter: CatalogFilter) => void;
}

/** The servers that can be installed, and those that cannot be installed here, with the reason. */
export function CatalogScreen({ filter, onFilter }: CatalogScreenProps) {
  const catalog = useQuery(catalogQuery);
  const runtime = useQuery(runtimeQuery).data;
  const reload = useReload();
  const [adding, setAdding] = useState(false);
  return (
    <Page
      title="Catalogue"
      lede={runtime === undefined ? 'Servers, each pinned to one version.' : runtimeWords(runtime)}
      actions={
        <>
          <Button icon="plus" onClick={() => setAdding(true)}>
            Add from npm
          </Button>
          <Button icon="refresh" busy={reload.isPending} onClick={() => reload.mutate()}>
            Reload
          </Button>
        </>
      }
    >
      {adding && <ImportDialog onClose={() => setAdding(false)} />}
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

interface CatalogFiltersProps {
  entries: readonly CatalogEntry[];
  filter: CatalogFilter;
  onFilter: (filter: CatalogFilter) => void;
}

/** Search, categories with their counts, and whether to leave out what cannot be installed here. */
function CatalogFilters({ entries, filter, onFilter }: CatalogFiltersProps) {
  const set = (part: CatalogFilter) => onFilter({ ...filter, ...part });
  const field = useFilterField('Search the catalogue');
  const counts = countsOf(entries, filter);
  const all = filtered(entries, { ...filter, category: undefined }).length;
  return (
    <FilterBar
      end={
        <label className={styles.only}>
          <input
            type="checkbox"
            checked={filter.here ?? false}
            onChange={(event) => set({ here: event.target.checked || undefined })}
          />
          Only what can be installed here
        </label>
      }
    >
      <input
        className={`${inputClass} ${styles.find}`}
        type="search"
        {...field}
        aria-label="Search the catalogue"
        placeholder="Search the catalogue"
        defaultValue={filter.q ?? ''}
        onChange={(event) => set({ q: event.target.value || undefined })}
      />
      <div className={styles.categories} role="group" aria-label="Category">
        <Category
          label={`All ${all}`}
          chosen={filter.category === undefined}
          onChoose={() => set({ category: undefined })}
        />
        {(Object.keys(categories) as CatalogEntry['category'][]).map((category) => (
          <Category
            key={category}
            label={`${categories[category]} ${counts.get(category) ?? 0}`}
            chosen={filter.category === category}
            onChoose={() => set({ category })}
          />
        ))}
      </div>
    </FilterBar>
  );
}

function Category({ label, chosen, onChoose }: { label: string; chosen: boolean; onChoose: () => void }) {
  return (
    <Button small aria-pressed={chosen} className={chosen ? styles.chosen : undefined} onClick={onChoose}>
      {label}
    </Button>
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
