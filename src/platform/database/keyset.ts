import type { Database } from './database.js';
import { isUnacceptableValue } from './postgres-errors.js';

type SortValue = string | number;

/** A list in one statement: `from` names the tables, `where` the condition with `$1…` filled by `parameters`. */
export interface KeysetList<Row> {
  columns: string;
  from: string;
  where: string;
  parameters: unknown[];
  /**
   * The tables to count on, where `from` joins more than `where` asks for: a join that the planner drops still keeps
   * it from counting in an index alone.
   */
  countedFrom?: string;
  /** Columns of the order with their SQL types, all in one direction, the last one unique. */
  order: { column: string; type: string }[];
  descending?: boolean;
  /** The values of the order's columns in a row that was read. */
  keyOf: (row: Row) => SortValue[];
  /** A join after `from` that holds a page to the rows that can be on it, where no one index gives them in order. */
  narrowed?: (page: PageClauses, bind: (value: unknown) => string) => string;
}

/** SQL of one page; `beyond` is the condition that a row comes after the page before. */
export interface PageClauses {
  beyond: string;
  order: string;
  limit: string;
  /** Those of the order. */
  columns: string;
}

/** `after`: the sort key of the last row read before. `countUpTo`: null, or where counting all rows stops. */
export interface KeysetRequest {
  limit: number;
  after: SortValue[] | null;
  countUpTo: number | null;
}

export interface KeysetPage<Row> {
  rows: Row[];
  next: SortValue[] | null;
  total: number | null;
}

/** The sort key that a page was to go on from is none of its list: made up by the client. */
export class UnfitSortKey extends Error {}

/** Rows after a sort key, found by the index of the order and never by OFFSET. @throws {UnfitSortKey} */
export async function readKeysetPage<Row>(
  database: Database,
  list: KeysetList<Row>,
  page: KeysetRequest,
): Promise<KeysetPage<Row>> {
  if (page.after && page.after.length !== list.order.length) throw new UnfitSortKey();
  try {
    return await read(database, list, page);
  } catch (fault) {
    if (page.after && isUnacceptableValue(fault)) throw new UnfitSortKey();
    throw fault;
  }
}

/** The order of an object's parts: oldest first. Rows must hold `createdAt` and `id`; `table` is where the two columns are. */
export function readOldestFirst<Row extends { createdAt: Date; id: string }>(
  database: Database,
  list: Pick<KeysetList<Row>, 'columns' | 'from' | 'where' | 'parameters'>,
  page: KeysetRequest,
  table?: string,
): Promise<KeysetPage<Row>> {
  const prefix = table ? `${table}.` : '';
  const order = [
    { column: `${prefix}created_at`, type: 'timestamptz' },
    { column: `${prefix}id`, type: 'uuid' },
  ];
  const keyOf = (row: Row) => [row.createdAt.toISOString(), row.id];
  return readKeysetPage(database, { ...list, order, keyOf }, page);
}

async function read<Row>(
  database: Database,
  list: KeysetList<Row>,
  page: KeysetRequest,
): Promise<KeysetPage<Row>> {
  const parameters = [...list.parameters, ...(page.after ?? []), page.limit + 1];
  const direction = list.descending ? 'DESC' : 'ASC';
  const clauses = {
    beyond: page.after ? beyond(list) : 'true',
    order: list.order.map(({ column }) => `${column} ${direction}`).join(', '),
    limit: `$${parameters.length}`,
    columns: columnsOf(list),
  };
  const found = await database.rows<Row>(
    `SELECT ${list.columns} FROM ${list.from} ${list.narrowed?.(clauses, (value) => `$${parameters.push(value)}`) ?? ''}
     WHERE ${list.where} AND ${clauses.beyond} ORDER BY ${clauses.order} LIMIT ${clauses.limit}`,
    parameters,
  );
  const rows = found.slice(0, page.limit);
  const next = found.length > page.limit ? list.keyOf(rows.at(-1)!) : null;
  return { rows, next, total: page.countUpTo === null ? null : await count(database, list, page.countUpTo) };
}

function beyond<Row>(list: KeysetList<Row>): string {
  const values = list.order
    .map(({ type }, index) => `$${list.parameters.length + index + 1}::${type}`)
    .join(', ');
  return `(${columnsOf(list)}) ${list.descending ? '<' : '>'} (${values})`;
}

const columnsOf = <Row>(list: KeysetList<Row>) => list.order.map(({ column }) => column).join(', ');

async function count<Row>(database: Database, list: KeysetList<Row>, limit: number): Promise<number> {
  const row = await database.row<{ total: number }>(
    `SELECT count(*)::int AS total FROM (SELECT 1 FROM ${list.countedFrom ?? list.from} WHERE ${list.where} LIMIT ${limit}) AS counted`,
    list.parameters,
  );
  return row!.total;
}
