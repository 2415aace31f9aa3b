import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import {
  dropMonth,
  isClosed,
  isPastRetention,
  needOf,
} from '../../dist/src/platform/partitions/month-retention.service.js';
import { partitionName } from '../../dist/src/platform/partitions/partitions.js';
import { columnsOf, exportRows, hashOfRows, Measured } from './export-rows.mjs';
import { inTransaction } from './in-transaction.mjs';

/**
 * Archives a month of a table. Nothing is dropped before the archive was read back, and before the rows that the database
 * has at that moment, locked against changes, have the checksum of the archive. After an interruption at any point the
 * month is in the database or in a complete archive, and the command goes on from there. Returns false where it failed.
 */
export async function archiveMonth(database, files, rule, partition, { keep, dryRun }) {
  const { table } = rule;
  const { month } = partition;
  const report = (text) => console.log(`${month} ${table.name}: ${text}`);
  if (!(await isClosed(database, rule, partition))) return (report('the month has not ended'), true);
  if (await isDone(database, table, month)) return true;
  if (dryRun)
    return (
      report(`would be archived${(await stays(database, rule, partition, keep)) ?? ' and dropped'}`), true
    );
  try {
    const manifest = await written(database, files, rule, partition, report);
    await files.verified(table.name, month);
    await record(database, table, partition, manifest);
    const reason = await stays(database, rule, partition, keep);
    if (reason) return (report(`archived${reason}`), true);
    await inTransaction(database, () => drop(database, rule, partition, manifest));
    report(`archived and dropped, ${manifest.rows} rows`);
    return true;
  } catch (error) {
    console.error(`${month} ${table.name}: ${error.message}`);
    return false;
  }
}

/** Whether the month was dropped, and its partition only keeps the place. */
async function isDone(database, table, month) {
  const [dropped] = await database.query(
    'SELECT 1 FROM archived_months WHERE table_name = $1 AND month = $2 AND dropped_at IS NOT NULL',
    [table.name, month],
  );
  return (
    Boolean(dropped) &&
    (await database.query(`SELECT 1 FROM ${partitionName(table, month)} LIMIT 1`)).length === 0
  );
}

/** Says why the rows stay in the database, or null. */
async function stays(database, rule, partition, keep) {
  if (keep) return '; it stays in the database';
  const need = await needOf(database, rule, partition);
  if (need) return `; it stays in the database: ${need}`;
  if (rule.days === 0 || (await isPastRetention(database, rule, partition))) return null;
  return `; it stays in the database: its retention is ${rule.days} days`;
}

/** Writes the archive unless an earlier run has. */
async function written(database, files, { table }, { month, from, to }, report) {
  const known = await files.manifest(table.name, month);
  if (known) return known;
  const columns = await columnsOf(database, table);
  const [text, packed] = [new Measured(), new Measured()];
  const [schema] = await database.query('SELECT name FROM migrations ORDER BY timestamp DESC LIMIT 1');
  const source = new PassThrough();
  const packing = pipeline(source, text, createGzip({ level: 6 }), packed);
  const exported = exportRows(database, table, month, columns, source).then(
    () => source.end(),
    (error) => source.destroy(error),
  );
  const writing = files.write(table.name, month, packed, () => ({
    from,
    to,
    columns,
    rows: text.lines,
    bytes: text.bytes,
    sha256: text.sha256,
    file: { bytes: packed.bytes, sha256: packed.sha256 },
    schema: schema.name,
    createdAt: new Date().toISOString(),
  }));
  const [manifest] = await Promise.all([writing, packing, exported]);
  report(`${manifest.rows} rows, ${manifest.bytes} bytes, ${manifest.file.bytes} compressed`);
  return manifest;
}

async function record(database, { name }, { month, from, to }, { rows, sha256 }) {
  const bound = (literal) => literal.replaceAll("'", '');
  await database.query(
    `INSERT INTO archived_months (table_name, month, from_bound, to_bound, rows, sha256) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (table_name, month) DO UPDATE SET rows = excluded.rows, sha256 = excluded.sha256, archived_at = now()`,
    [name, month, bound(from), bound(to), rows, sha256],
  );
}

async function drop(database, rule, partition, manifest) {
  const { table } = rule;
  const { month, to } = partition;
  await database.query(`LOCK TABLE ${partitionName(table, month)} IN SHARE MODE`);
  if ((await hashOfRows(database, table, month, manifest.columns)) !== manifest.sha256)
    throw new Error(
      'the database has other rows than the archive. Move the files of this month out of the archive, and run the command again.',
    );
  const need = await needOf(database, rule, partition);
  if (need) throw new Error(`it stays in the database: ${need}.`);
  const [{ until }] = await database.query(
    `SELECT max(${rule.time}) AS until FROM ${partitionName(table, month)}`,
  );
  await dropMonth(database, table, partition);
  await database.query(
    'UPDATE archived_months SET dropped_at = now(), restored_at = NULL WHERE table_name = $1 AND month = $2',
    [table.name, month],
  );
  if (table.name === 'journal')
    await leaveTrace(database, {
      month,
      rows: manifest.rows,
      until,
      last: BigInt(to.replaceAll("'", '')) - 1n,
    });
}

/** The journal says what is gone from it, and no stream goes on before that. */
async function leaveTrace(database, { month, rows, until, last }) {
  await database.query(
    'UPDATE journal_pruned SET position = greatest(position, $1), until = greatest(until, $2)',
    [String(last), until],
  );
  await database.query(
    `INSERT INTO journal (id, type, actor_type, actor_name, subject_type, data)
     SELECT $1, 'journal.pruned', 'system', 'system', 'journal', $2::jsonb WHERE pg_current_xact_id() IS NOT NULL`,
    [randomUUID(), JSON.stringify({ rows, until, month, archived: true })],
  );
}
