import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Settings } from '../config/settings.js';
import { isUnacceptableValue } from './postgres-errors.js';
import { prepared, unseen } from './service.client.js';

/** How many rows are read before their size is known: with 64 KiB of text each they fill a page of 4 MiB. */
const FIRST_ROWS = 64;

type SortValue = string | number;

/** A list that one statement reads: `from` names the tables, `where` the condition; `parameters` fill its `$1…`. */
export interface KeysetList<Row> {
  /** Names the statement of a frequent list whose text depends on nothing but this name, so that it is planned once. */
  name?: string;
  columns: string;
  from: string;
  where: string;
  parameters: unknown[];
  /**
   * The tables to count in when `from` joins more than `where` needs: a join that the planner drops still prevents an
   * index-only scan.
   */
  countedFrom?: string;
  /** The columns of the order with their SQL types. All have one direction, and the last one is unique. */
  order: { column: string; type: string }[];
  descending?: boolean;
  /** No row has more than a few KiB, so that the largest page is read in one statement. */
  hasShortRows?: boolean;
  /** Returns the values of the order's columns in a row that was read. */
  keyOf: (row: Row) => SortValue[];
  /** A join after `from` that limits a page to the rows that can be on it, where no single index has them in order. */
  narrowed?: (page: PageClauses, bind: (value: unknown) => string) => string;
}

/** The SQL of one page; `beyond` is the condition that a row comes after the previous page. */
export interface PageClauses {
  beyond: string;
  order: string;
  limit: string;
  /** The columns of the order. */
  columns: string;
  /** The values of these columns in the row that the page follows, as typed placeholders; empty for the first page. */
  after: string[];
}

/** `after` is the sort key of the last row of the previous page; counting stops at `countUpTo`, null skips it. */
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

/** The sort key to continue from does not fit the list: the client made it up. */
export class UnfitSortKey extends Error {}

/** Reads pages of lists, each within the bytes that a page may have (`PAGE_MAX_BYTES`, contract §1). */
@Injectable()
export class KeysetPagesService {
  constructor(
    @InjectDataSource() private readonly source: DataSource,
    private readonly settings: Settings,
  ) {}

  /**
   * Reads the rows after a sort key, by the index of the order and never by OFFSET.
   * @throws {UnfitSortKey} when the sort key does not fit the order's columns
   */
  async read<Row>(list: KeysetList<Row>, page: KeysetRequest): Promise<KeysetPage<Row>> {
    if (page.after && page.after.length !== list.order.length) throw new UnfitSortKey();
    try {
      return await read(this.source, this.settings.limits.pageMaxBytes, list, page);
    } catch (error) {
      if (page.after && isUnacceptableValue(error)) throw new UnfitSortKey();
      throw error;
    }
  }

  /** Orders an object's parts oldest first. Rows must have `createdAt` and `id`; `table` holds the two columns. */
  readOldestFirst<Row extends { createdAt: Date; id: string }>(
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
    return this.read({ ...list, order, keyOf }, page);
  }
}

/**
 * Reads the page in pieces and stops where it is full, so that rows which do not fit never reach this process: a page of
 * 1,000 rows with 64 KiB each would hold 64 MiB of them. Most pages are one piece, or two.
 */
async function read<Row>(
  source: DataSource,
  budget: number,
  list: KeysetList<Row>,
  page: KeysetRequest,
): Promise<KeysetPage<Row>> {
  const rows: Row[] = [];
  const fitting: Row[] = [];
  let used = 0;
  let after = page.after;
  for (let size = pieceOf(list, page.limit + 1); size > 0;) {
    const found = await piece(source, list, after, size);
    for (const row of found) {
      rows.push(row);
      used += bytesIn(row);
      if (fitting.length < page.limit && (used <= budget || rows.length === 1)) fitting.push(row);
    }
    const left = page.limit + 1 - rows.length;
    if (found.length < size || used > budget || left === 0) break;
    after = list.keyOf(found.at(-1)!);
    size = Math.min(left, 1 + Math.floor(((budget - used) * rows.length) / used));
  }
  const next = rows.length > fitting.length ? list.keyOf(fitting.at(-1)!) : null;
  const total = page.countUpTo === null ? null : await count(source, list, page.countUpTo);
  return { rows: fitting, next, total };
}

/** The first piece shows how large the rows are. */
function pieceOf<Row>({ hasShortRows }: KeysetList<Row>, wanted: number): number {
  return hasShortRows ? wanted : Math.min(wanted, FIRST_ROWS);
}

function piece<Row>(
  source: DataSource,
  list: KeysetList<Row>,
  after: SortValue[] | null,
  limit: number,
): Promise<Row[]> {
  const parameters = [...list.parameters, ...(after ?? []), limit];
  const direction = list.descending ? 'DESC' : 'ASC';
  const clauses = {
    beyond: after ? beyond(list) : 'true',
    order: list.order.map(({ column }) => `${column} ${direction}`).join(', '),
    limit: list.name === undefined ? `$${parameters.length}` : unseen(`$${parameters.length}::bigint`),
    columns: columnsOf(list),
    after: after ? valuesAfter(list) : [],
  };
  const text = `SELECT ${list.columns} FROM ${list.from} ${list.narrowed?.(clauses, (value) => `$${parameters.push(value)}`) ?? ''}
     WHERE ${list.where} AND ${clauses.beyond} ORDER BY ${clauses.order} LIMIT ${clauses.limit}`;
  const named = list.name === undefined ? text : prepared(`${list.name}${after ? '.after' : ''}`, text);
  return source.query<Row[]>(named, parameters);
}

/** Counts texts only: serializing every row twice would cost each list a few milliseconds. */
function bytesIn(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return 8;
  return Object.values(value).reduce<number>((sum, item) => sum + bytesIn(item), 0);
}

function beyond<Row>(list: KeysetList<Row>): string {
  return `(${columnsOf(list)}) ${list.descending ? '<' : '>'} (${valuesAfter(list).join(', ')})`;
}

const valuesAfter = <Row>({ order, parameters }: KeysetList<Row>): string[] =>
  order.map(({ type }, index) => `$${parameters.length + index + 1}::${type}`);

const columnsOf = <Row>(list: KeysetList<Row>) => list.order.map(({ column }) => column).join(', ');

async function count<Row>(source: DataSource, list: KeysetList<Row>, limit: number): Promise<number> {
  const [row] = await source.query<{ total: number }[]>(
    `SELECT count(*)::int AS total FROM (SELECT 1 FROM ${list.countedFrom ?? list.from} WHERE ${list.where} LIMIT ${limit}) AS counted`,
    list.parameters,
  );
  return row!.total;
}
