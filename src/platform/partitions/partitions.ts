/** A month of the calendar in UTC, such as `2026-11`. Months sort as texts. */
export type Month = string;

/** How many positions of the journal a month has. No month uses them up, and 9,000 months fit into an exact number. */
const POSITIONS_PER_MONTH = 1_000_000_000_000;
const FIRST_YEAR = 2020;

export const isMonth = (text: string): text is Month => /^20[2-9]\d-(0[1-9]|1[0-2])$/.test(text);

export function monthOf(instant: Date): Month {
  return instant.toISOString().slice(0, 7);
}

/** Returns the month `count` months after `month`. */
export function monthAfter(month: Month, count = 1): Month {
  const index = indexOf(month) + count;
  return `${FIRST_YEAR + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
}

/** Returns the months from `first` up to `last`, both included. */
export function monthsBetween(first: Month, last: Month): Month[] {
  const count = Math.max(indexOf(last) - indexOf(first) + 1, 0);
  return Array.from({ length: count }, (_, at) => monthAfter(first, at));
}

/** The start of a month as PostgreSQL reads it, for a column of dates as well as of instants. */
export const startOf = (month: Month): string => `${month}-01 00:00:00+00`;

/** The position with which the journal begins a month (decision 0046). */
export const positionOf = (month: Month): number => indexOf(month) * POSITIONS_PER_MONTH;

function indexOf(month: Month): number {
  return (Number(month.slice(0, 4)) - FIRST_YEAR) * 12 + Number(month.slice(5)) - 1;
}

/** A table with one partition per month. */
export interface PartitionedTable {
  name: string;
  /** The column that decides on the partition. */
  key: string;
  /**
   * `position`: the months of the journal, which takes positions of the next month once a month has begun. `time`: months
   * of the calendar, with the partitions `earlier` and `later` for all other rows.
   */
  by: 'position' | 'time';
  /** The columns of a unique order. */
  order: string;
}

export const JOURNAL: PartitionedTable = {
  name: 'journal',
  key: 'position',
  by: 'position',
  order: 'position',
};
export const DELIVERIES: PartitionedTable = {
  name: 'webhook_deliveries',
  key: 'event_position',
  by: 'position',
  order: 'event_position, id',
};
export const TOOL_CALLS: PartitionedTable = {
  name: 'tool_calls',
  key: 'called_at',
  by: 'time',
  order: 'called_at, id',
};
export const USAGE_REPORTS: PartitionedTable = {
  name: 'usage_reports',
  key: 'month',
  by: 'time',
  order: 'agent_id, report_id',
};
export const USAGE_HOURS: PartitionedTable = {
  name: 'usage_hours',
  key: 'hour',
  by: 'time',
  order: 'hour, agent_id, project_id, issue_id, model COLLATE "C"',
};

/** Deliveries come before the journal, whose rows they need. */
export const PARTITIONED_TABLES = [DELIVERIES, JOURNAL, TOOL_CALLS, USAGE_REPORTS, USAGE_HOURS];

/** The name of the partition of a month. */
export const partitionName = ({ name }: PartitionedTable, month: Month): string =>
  `${name}_${month.replace('-', '_')}`;

/** The advisory lock under which one process or command at a time changes partitions. */
export const PARTITIONS_LOCK = 727_004;

/** Runs one statement, of the service or of a command. */
export interface Statements {
  query<Rows extends unknown[]>(sql: string, parameters?: unknown[]): Promise<Rows>;
}

/** A partition of one month. The bounds are literals of SQL, the second one exclusive. */
export interface Partition {
  month: Month;
  from: string;
  to: string;
}

const PARTITIONS = `
  SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = $1::regclass ORDER BY c.relname`;

/** Returns the partitions of months, oldest first. */
export async function partitionsOf(database: Statements, { name }: PartitionedTable): Promise<Partition[]> {
  const rows = await database.query<{ name: string; bounds: string }[]>(PARTITIONS, [name]);
  return rows.flatMap((row) => {
    const [, year, number] = /_(\d{4})_(\d{2})$/.exec(row.name) ?? [];
    const [, from, to] = /^FOR VALUES FROM \((.+)\) TO \((.+)\)$/.exec(row.bounds) ?? [];
    return year && from && to ? [{ month: `${year}-${number}`, from, to }] : [];
  });
}

/**
 * Creates a partition of a table by position. Attaching locks out neither readers nor writers. The caller runs all
 * statements in one transaction, here as below.
 */
export async function attachRange(
  database: Statements,
  table: PartitionedTable,
  { month, from, to }: Partition,
): Promise<void> {
  const partition = partitionName(table, month);
  await database.query(`CREATE TABLE ${partition} (LIKE ${table.name} INCLUDING ALL)`);
  await database.query(
    `ALTER TABLE ${table.name} ATTACH PARTITION ${partition} FOR VALUES FROM (${from}) TO (${to})`,
  );
}

/**
 * Gives a month, and those between it and the present ones, partitions of their own in a table by time. Rows of these
 * months that `earlier` or `later` has taken move there, so that nothing was lost where this ran too late.
 */
export async function carveMonth(database: Statements, table: PartitionedTable, month: Month): Promise<void> {
  const present = (await partitionsOf(database, table)).map((partition) => partition.month);
  const [first, last] = [present[0]!, present.at(-1)!];
  if (month > last) {
    await database.query(`ALTER TABLE ${table.name} DETACH PARTITION ${table.name}_later`);
    for (const one of monthsBetween(monthAfter(last), month))
      await createMonth(database, table, one, `${table.name}_later`);
    await attachLater(database, table, month);
  } else if (month < first) {
    await database.query(`ALTER TABLE ${table.name} DETACH PARTITION ${table.name}_earlier`);
    for (const one of monthsBetween(month, monthAfter(first, -1)))
      await createMonth(database, table, one, `${table.name}_earlier`);
    await attachEarlier(database, table, month);
  }
}

/** Lets `earlier` take the rows from now on that belong to a time before `month`. It is detached meanwhile. */
export async function attachEarlier(
  database: Statements,
  { name }: PartitionedTable,
  month: Month,
): Promise<void> {
  await database.query(
    `ALTER TABLE ${name} ATTACH PARTITION ${name}_earlier FOR VALUES FROM (MINVALUE) TO ('${startOf(month)}')`,
  );
}

async function attachLater(database: Statements, { name }: PartitionedTable, last: Month): Promise<void> {
  await database.query(
    `ALTER TABLE ${name} ATTACH PARTITION ${name}_later FOR VALUES FROM ('${startOf(monthAfter(last))}') TO (MAXVALUE)`,
  );
}

async function createMonth(
  database: Statements,
  table: PartitionedTable,
  month: Month,
  source: string,
): Promise<void> {
  const [from, to] = [startOf(month), startOf(monthAfter(month))];
  const partition = partitionName(table, month);
  await database.query(
    `CREATE TABLE ${partition} PARTITION OF ${table.name} FOR VALUES FROM ('${from}') TO ('${to}')`,
  );
  await database.query(
    `WITH moved AS (DELETE FROM ${source} WHERE ${table.key} >= '${from}' AND ${table.key} < '${to}' RETURNING *)
     INSERT INTO ${partition} SELECT * FROM moved`,
  );
}
