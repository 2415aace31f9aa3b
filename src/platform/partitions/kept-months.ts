import { monthAfter, startOf } from './months.js';
import { partitionName } from './partitioned-tables.js';
import type { MonthRule } from './month-rules.js';
import type { Partition, Statements } from './partitions.js';

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
  return (await database.rows(IS_CLOSED[table.by], [end])).length > 0;
}

/** Returns why the month has to stay whatever the operator wants, or null. */
export async function needOf(
  database: Statements,
  { needs }: MonthRule,
  partition: Partition,
): Promise<string | null> {
  for (const { because, found } of needs)
    if ((await database.rows(`${found(partition)} LIMIT 1`)).length > 0) return because;
  return null;
}

/** Whether every row of the month is older than the settings promise to keep it. */
export async function isPastRetention(
  database: Statements,
  { table, time, days }: MonthRule,
  { month }: Partition,
): Promise<boolean> {
  if (days === 0) return false;
  const end = await database.rows('SELECT 1 WHERE now() - make_interval(days => $1) >= $2::timestamptz', [
    days,
    startOf(monthAfter(month)),
  ]);
  if (end.length === 0) return false;
  const young = await database.rows(
    `SELECT 1 FROM ${partitionName(table, month)} WHERE ${time} >= now() - make_interval(days => $1) LIMIT 1`,
    [days],
  );
  return young.length === 0;
}
