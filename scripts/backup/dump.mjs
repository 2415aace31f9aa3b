import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { createGzip } from 'node:zlib';
import { copyOut } from './copy.mjs';
import { writeHashed } from './hashed-files.mjs';

/**
 * The columns that a copy can hold. A generated column is computed again. An unlogged table is left out: it holds what a
 * crash of the database may lose as well.
 */
const TABLES = `
  SELECT c.relname AS name,
    json_agg(json_build_object('name', a.attname, 'type', a.atttypid::regtype::text) ORDER BY a.attnum) AS columns
  FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relpersistence = 'p'
    AND c.relname <> 'migrations'
  GROUP BY c.relname ORDER BY c.relname`;

/** The partitions of all tables, in the words of CREATE TABLE. */
const PARTITIONS = `
  SELECT i.inhparent::regclass::text AS "table", c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relispartition AND c.relkind = 'r' ORDER BY c.relname`;

/**
 * Transaction ids count from the start of a cluster and mean nothing in another one, where they may lie in the future.
 * 3 is the first one of every cluster, so a restored row is visible in every snapshot. A snapshot becomes NULL, which
 * means that an agent has not received any comment: after a restore its next heartbeat returns each one again.
 */
const PORTABLE = { xid8: () => "'3'::xid8", pg_snapshot: () => 'NULL' };

/**
 * Writes every table as one file below `folder`, as they are in one snapshot, and returns what a restore must know. The
 * jobs of graphile-worker are left out: the service makes them again from the pending deliveries.
 */
export async function dumpDatabase(client, folder) {
  await mkdir(folder, { mode: 0o700 });
  return inSnapshot(client, async () => {
    const tables = [];
    for (const table of (await client.query(TABLES)).rows)
      tables.push(await dumpTable(client, table, folder));
    return { tables, ...(await factsOf(client)) };
  });
}

async function inSnapshot(client, work) {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    return await work();
  } finally {
    await client.query('ROLLBACK');
  }
}

async function dumpTable(client, { name, columns }, folder) {
  const file = `${name}.copy.gz`;
  const values = columns.map((column) => PORTABLE[column.type]?.() ?? client.escapeIdentifier(column.name));
  const sql = `COPY (SELECT ${values.join(', ')} FROM ${client.escapeIdentifier(name)}) TO STDOUT`;
  const text = new PassThrough();
  const written = writeHashed(join(folder, file), text, createGzip({ level: 1 }));
  const rows = await copyOut(client, sql, text).finally(() => text.end());
  return { name, file, rows, columns: columns.map((column) => column.name), ...(await written) };
}

/** Reads the rest in the same snapshot. A sequence is not part of one; it may only be further, which does no harm. */
async function factsOf(client) {
  const rows = async (sql) => (await client.query(sql)).rows;
  const [server] = await rows("SELECT current_setting('server_version') AS version");
  return {
    postgres: server.version,
    partitions: await rows(PARTITIONS),
    migrations: await rows('SELECT timestamp::text, name FROM migrations ORDER BY timestamp'),
    sequences: await rows(
      `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
       WHERE schemaname = 'public' AND last_value IS NOT NULL`,
    ),
    keys: await rows('SELECT id, check_value AS "checkValue" FROM encryption_keys ORDER BY id'),
    attachmentIds: (await rows('SELECT id FROM attachments ORDER BY id')).map(({ id }) => id),
  };
}
