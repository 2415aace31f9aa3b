import { chooseArchive } from '../../dist/src/work/attachments/disk-store.js';
import { EXIT_CONFIG, StartError } from '../../dist/src/platform/exit/exit-codes.js';
import { isPastRetention } from '../../dist/src/platform/partitions/month-retention.service.js';
import { partitionsOf } from '../../dist/src/platform/partitions/partitions.js';
import { withClient } from '../keys/database.mjs';
import { refuseTablesOfLater } from '../keys/known-migrations.mjs';
import { ArchiveFiles } from './archive-files.mjs';
import { archiveMonth } from './archive-month.mjs';
import { restoreMonth } from './restore-month.mjs';
import { rulesOf } from './rules.mjs';

/** Runs one of the modes of the command with a connection to the database. */
export async function runArchive(settings, { mode, month, keep, dryRun }) {
  const files = new ArchiveFiles(await chooseArchive(settings));
  await withClient(settings, async (client) => {
    if (!client)
      throw new StartError(
        'There is no database yet',
        'run it with the settings of the service',
        EXIT_CONFIG,
      );
    const database = { client, query: async (sql, parameters) => (await client.query(sql, parameters)).rows };
    await database.query(`SET statement_timeout = 0; SET timezone = 'UTC'`);
    if (mode === 'list') return list(database);
    if (mode === 'verify') return verify(database, files, month);
    await refuseTablesOfLater(client);
    if (mode === 'restore') return restoreMonth(database, files, rulesOf(settings), month);
    await archive(database, files, rulesOf(settings), { month, keep, dryRun });
  });
}

async function archive(database, files, rules, { month, keep, dryRun }) {
  let failed = 0;
  for (const rule of rules)
    for (const partition of await wanted(database, rule, month))
      if (!(await archiveMonth(database, files, rule, partition, { keep, dryRun }))) failed += 1;
  if (failed > 0) throw new Error(`${failed} of the months are not archived. Run the command again.`);
}

async function wanted(database, rule, month) {
  const partitions = await partitionsOf(database, rule.table);
  if (month !== null) return partitions.filter((partition) => partition.month === month);
  const past = [];
  for (const partition of partitions)
    if (await isPastRetention(database, rule, partition)) past.push(partition);
  return past;
}

async function list(database) {
  for (const row of await archives(database, null))
    console.log(
      `${row.month} ${row.table_name}: ${row.rows} rows, archived ${row.archived_at.toISOString()}, ${stateOf(row)}`,
    );
}

function stateOf({ dropped_at: dropped, restored_at: restored }) {
  return restored ? 'restored' : dropped ? 'dropped from the database' : 'also in the database';
}

async function verify(database, files, month) {
  for (const { table_name: table, month: archived } of await archives(database, month)) {
    const manifest = await files.verified(table, archived);
    console.log(`${archived} ${table}: ${manifest.rows} rows are as they were written.`);
  }
}

function archives(database, month) {
  return database.query(
    'SELECT * FROM archived_months WHERE $1::text IS NULL OR month = $1 ORDER BY month, table_name',
    [month],
  );
}
