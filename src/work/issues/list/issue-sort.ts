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

/** Returns the columns of an order, which always ends in the id. They become SQL, so they come from a fixed map. */
export function orderOf(sort: IssueSort): { order: { column: string; type: string }[]; descending: boolean } {
  const name = sort.replace('-', '') as keyof typeof COLUMNS;
  return { order: [...COLUMNS[name], { column: 'i.id', type: 'uuid' }], descending: sort.startsWith('-') };
}

/** Returns the values of an order's columns in a row. */
export function sortKeyOf(
  sort: IssueSort,
  row: { id: string; createdAt: Date; updatedAt: Date; priority: number },
): (string | number)[] {
  const name = sort.replace('-', '');
  if (name === 'updatedAt') return [row.updatedAt.toISOString(), row.id];
  if (name === 'createdAt') return [row.createdAt.toISOString(), row.id];
  return [row.priority, row.createdAt.toISOString(), row.id];
}
