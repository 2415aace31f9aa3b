import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { lookForCanary, lookForCanaryInBytes, markForms } from './canary.js';
import { withAdmin } from './postgres.mjs';

/**
 * Searches for canaries in the rows of a database as queries return them, because the server compresses long values on
 * disk, and in the bytes of the write-ahead log, which contains everything ever written, deleted rows included.
 * @param begun the position of the log when the database was created
 */
export async function lookForCanaryInDatabase(url: string, begun: string): Promise<void> {
  await lookInRows(url);
  for (const file of await logSince(begun)) lookForCanaryInBytes("the database's log", contentOf(file));
}

/** Searches the data folder, except for packages, which are as they were published. */
export function lookForCanaryInFolder(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'packages') lookForCanaryInFolder(path);
    if (entry.isFile()) lookForCanaryInBytes(`the file ${path}`, contentOf(path));
  }
}

async function lookInRows(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const found = tables.rows.map(
      ({ name }) => `SELECT '${name}' AS name, t::text AS row FROM ${name} t WHERE t::text ~ $1`,
    );
    const { rows } = await client.query<{ name: string; row: string }>(found.join(' UNION ALL '), [
      markForms.join('|'),
    ]);
    for (const { name, row } of rows) lookForCanary(`a row of ${name}`, row);
  } finally {
    await client.end();
  }
}

/** Returns the log files since that position; none when the server is not the one of the tests. */
async function logSince(begun: string): Promise<string[]> {
  const folder = process.env['AWP_TEST_SERVER_LOG'];
  if (!folder) return [];
  const [first, last] = await withAdmin(async (client) => {
    // A synchronous commit, which makes the server write the log up to here.
    await client.query('SET synchronous_commit = on');
    await client.query(`SELECT pg_logical_emit_message(true, '', '')`);
    const { rows } = await client.query<{ names: [string, string] }>(
      'SELECT ARRAY[pg_walfile_name($1::pg_lsn), pg_walfile_name(pg_current_wal_flush_lsn())] AS names',
      [begun],
    );
    return rows[0]!.names;
  });
  const names = readdirSync(folder).filter((name) => name >= first && name <= last);
  return names.map((name) => join(folder, name));
}

/** Returns nothing for a file that was removed meanwhile. */
function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}
