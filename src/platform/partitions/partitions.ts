import { monthAfter, monthsBetween, startOf, type Month } from './months.js';
import { partitionName, type PartitionedTable } from './partitioned-tables.js';

/** The advisory lock under which one process or command at a time changes partitions. */
export const PARTITIONS_LOCK = 727_004;

/** Runs one statement, of the service or of a command. */
export interface Statements {
  rows<Row>(sql: string, parameters?: unknown[]): Promise<Row[]>;
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
  const rows = await database.rows<{ name: string; bounds: string }>(PARTITIONS, [name]);
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
  await database.rows(`CREATE TABLE ${partition} (LIKE ${table.name} INCLUDING ALL)`);
  await database.rows(
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
    await database.rows(`ALTER TABLE ${table.name} DETACH PARTITION ${table.name}_later`);
    for (const one of monthsBetween(monthAfter(last), month))
      await createMonth(database, table, one, `${table.name}_later`);
    await attachLater(database, table, month);
  } else if (month < first) {
    await database.rows(`ALTER TABLE ${table.name} DETACH PARTITION ${table.name}_earlier`);
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
  await database.rows(
    `ALTER TABLE ${name} ATTACH PARTITION ${name}_earlier FOR VALUES FROM (MINVALUE) TO ('${startOf(month)}')`,
  );
}

async function attachLater(database: Statements, { name }: PartitionedTable, last: Month): Promise<void> {
  await database.rows(
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
  await database.rows(
    `CREATE TABLE ${partition} PARTITION OF ${table.name} FOR VALUES FROM ('${from}') TO ('${to}')`,
  );
  await database.rows(
    `WITH moved AS (DELETE FROM ${source} WHERE ${table.key} >= '${from}' AND ${table.key} < '${to}' RETURNING *)
     INSERT INTO ${partition} SELECT * FROM moved`,
  );
}
