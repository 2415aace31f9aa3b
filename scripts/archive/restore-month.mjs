import { attachRange, carveMonth, partitionsOf } from '../../dist/src/platform/partitions/partitions.js';
import { partitionName } from '../../dist/src/platform/partitions/partitions.js';
import { copyIn } from '../backup/copy.mjs';
import { AS_LINES, columnsOf, hashOfRows } from './export-rows.mjs';
import { inTransaction } from './in-transaction.mjs';

/** Puts the rows of a month back, each table in one transaction, and compares them with the checksum of the archive. */
export async function restoreMonth(database, files, rules, month) {
  const tables = [];
  for (const { table } of rules) if (await files.manifest(table.name, month)) tables.push(table);
  if (tables.length === 0)
    throw new Error(`The archive has nothing of ${month}. See npm run archive -- --list.`);
  for (const table of tables) {
    if (await hasRows(database, table, month)) {
      console.log(`${month} ${table.name}: the database has rows of this month; nothing was restored`);
      continue;
    }
    const manifest = await files.verified(table.name, month);
    await refuseOtherColumns(database, table, manifest.columns);
    await inTransaction(database, () => makePlace(database, table, manifest));
    await inTransaction(database, () => restore(database, files, table, manifest));
    console.log(`${month} ${table.name}: restored, ${manifest.rows} rows`);
  }
}

/** Makes the partition first: that locks the whole table, and so must not last as long as the rows. */
async function makePlace(database, table, manifest) {
  if (await partitionOf(database, table, manifest.month)) return;
  if (table.by === 'position') await attachRange(database, table, manifest);
  else await carveMonth(database, table, manifest.month);
}

async function restore(database, files, table, manifest) {
  const { month, columns } = manifest;
  const names = columns.map(({ name }) => database.client.escapeIdentifier(name)).join(', ');
  await database.query('CREATE TEMPORARY TABLE archived_lines (line text NOT NULL) ON COMMIT DROP');
  await copyIn(
    database.client,
    `COPY archived_lines FROM STDIN ${AS_LINES}`,
    await files.lines(table.name, month),
  );
  await database.query(
    `INSERT INTO ${partitionName(table, month)} (${names}) SELECT ${names}
     FROM archived_lines CROSS JOIN LATERAL json_populate_record(NULL::${table.name}, line::json)`,
  );
  if ((await hashOfRows(database, table, month, columns)) !== manifest.sha256)
    throw new Error(
      `${month} ${table.name}: the restored rows are not those of the archive. Nothing was restored.`,
    );
  await database.query(
    'UPDATE archived_months SET restored_at = now(), dropped_at = NULL WHERE table_name = $1 AND month = $2',
    [table.name, month],
  );
}

/** Columns that are new have their defaults. */
async function refuseOtherColumns(database, table, columns) {
  const present = new Map((await columnsOf(database, table)).map(({ name, type }) => [name, type]));
  const other = columns.filter(({ name, type }) => present.get(name) !== type).map(({ name }) => name);
  if (other.length > 0)
    throw new Error(
      `${table.name} no longer has the columns ${other.join(', ')} of the archive, so it cannot be restored.`,
    );
}

async function partitionOf(database, table, month) {
  return (await partitionsOf(database, table)).find((partition) => partition.month === month);
}

async function hasRows(database, table, month) {
  if (!(await partitionOf(database, table, month))) return false;
  return (await database.query(`SELECT 1 FROM ${partitionName(table, month)} LIMIT 1`)).length > 0;
}
