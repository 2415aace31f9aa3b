import type { CatalogEntry } from '../../api/types';

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
