import {
  attachEarlier,
  monthAfter,
  type Partition,
  type PartitionedTable,
  partitionName,
  partitionsOf,
  startOf,
  type Statements,
} from './partitions.js';

/** What the rows of a month are still needed for. */
export interface Need {
  /** A sentence for the log. */
  because: string;
  /** SQL that finds a row while it holds. */
  found: (partition: Partition) => string;
}

/** What keeps the months of a table. */
export interface MonthRule {
  table: PartitionedTable;
  /** The column with the time of a row. */
  time: string;
  /** Days that the settings promise to keep every row; 0 is for ever. */
  days: number;
  needs: Need[];
}

/**
 * Drops a month. In a table by time every time keeps a partition: `earlier` takes the place of the oldest month, and an
 * empty partition that of another. The months of the journal need none, since its positions are given out once.
 */
export async function dropMonth(
  database: Statements,
  table: PartitionedTable,
  { month }: Partition,
): Promise<void> {
  const partition = partitionName(table, month);
  if (table.by === 'position') return void (await database.query(`DROP TABLE ${partition}`));
  const [oldest] = await partitionsOf(database, table);
  if (oldest?.month === month) {
    await database.query(`ALTER TABLE ${table.name} DETACH PARTITION ${table.name}_earlier`);
    await database.query(`DROP TABLE ${partition}`);
    await attachEarlier(database, table, monthAfter(month));
  } else {
    await database.query(`DROP TABLE ${partition}`);
    await database.query(
      `CREATE TABLE ${partition} PARTITION OF ${table.name}
       FOR VALUES FROM ('${startOf(month)}') TO ('${startOf(monthAfter(month))}')`,
    );
  }
}

const IS_CLOSED = {
  position: 'SELECT 1 FROM journal_months WHERE from_position >= $1::bigint LIMIT 1',
  time: 'SELECT 1 WHERE now() >= $1::timestamptz',
};

/** Whether no row is added to the month any more: its successor has begun. */
export async function isClosed(
  database: Statements,
  { table }: Pick<MonthRule, 'table'>,
  { month, to }: Partition,
): Promise<boolean> {
  const end = table.by === 'position' ? to.replaceAll("'", '') : startOf(monthAfter(month));
  return (await database.query(IS_CLOSED[table.by], [end])).length > 0;
}

/** Returns why the month has to stay whatever the operator wants, or null. */
export async function needOf(
  database: Statements,
  { needs }: MonthRule,
  partition: Partition,
): Promise<string | null> {
  for (const { because, found } of needs)
    if ((await database.query(`${found(partition)} LIMIT 1`)).length > 0) return because;
  return null;
}

/** Whether every row of the month is older than the settings promise to keep it. */
export async function isPastRetention(
  database: Statements,
  { table, time, days }: MonthRule,
  { month }: Partition,
): Promise<boolean> {
  if (days === 0) return false;
  const end = await database.query('SELECT 1 WHERE now() - make_interval(days => $1) >= $2::timestamptz', [
    days,
    startOf(monthAfter(month)),
  ]);
  if (end.length === 0) return false;
  const young = await database.query(
    `SELECT 1 FROM ${partitionName(table, month)} WHERE ${time} >= now() - make_interval(days => $1) LIMIT 1`,
    [days],
  );
  return young.length === 0;
}
