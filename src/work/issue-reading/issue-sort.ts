/** Orders of a list of issues; `-` is descending (contract §5.2). */
export const issueSorts = [
  'createdAt',
  '-createdAt',
  'updatedAt',
  '-updatedAt',
  'priority',
  '-priority',
] as const;
export type IssueSort = (typeof issueSorts)[number];

const COLUMNS = {
  createdAt: [{ column: 'i.created_at', type: 'timestamptz' }],
  updatedAt: [{ column: 'i.updated_at', type: 'timestamptz' }],
  priority: [
    { column: 'i.priority', type: 'smallint' },
    { column: 'i.created_at', type: 'timestamptz' },
  ],
} as const;

/**
 * Returns the columns of an order, which always ends in the id. They become SQL, so they come from a fixed map.
 * @param ranked whether the fit of a search comes first, the best one in either direction
 */
export function orderOf(
  sort: IssueSort,
  ranked: boolean,
): { order: { column: string; type: string }[]; descending: boolean } {
  const name = sort.replace('-', '') as keyof typeof COLUMNS;
  const fit = { column: isDescending(sort) ? 'i.fit' : '(-i.fit)', type: 'int' };
  const order = [...(ranked ? [fit] : []), ...COLUMNS[name], { column: 'i.id', type: 'uuid' }];
  return { order, descending: isDescending(sort) };
}

interface SortedRow {
  id: string;
  createdAt: Date;
  updatedAt: Date;
  priority: number;
  /** How well it matches, where the order is ranked. */
  fit?: number;
}

/** Returns the values of an order's columns in a row. */
export function sortKeyOf(sort: IssueSort, row: SortedRow): (string | number)[] {
  const fit = row.fit === undefined ? [] : [isDescending(sort) ? row.fit : -row.fit];
  const name = sort.replace('-', '');
  if (name === 'updatedAt') return [...fit, row.updatedAt.toISOString(), row.id];
  if (name === 'createdAt') return [...fit, row.createdAt.toISOString(), row.id];
  return [...fit, row.priority, row.createdAt.toISOString(), row.id];
}

const isDescending = (sort: IssueSort) => sort.startsWith('-');
