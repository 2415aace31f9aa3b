import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../dist/src/platform/database/data-source-pool-and-limits.js';
import { KeyRingError } from '../../dist/src/platform/encryption/key-ring.js';
import { copyIn } from '../backup/copy.mjs';
import { contextOf, nameOf, SealedDatabase } from '../keys/sealed-database.mjs';

/** References between tables. A table's references to itself do not matter: they are checked after its last row. */
const REFERENCES = `
  SELECT source.relname AS "from", target.relname AS "to"
  FROM pg_constraint JOIN pg_class source ON source.oid = conrelid JOIN pg_class target ON target.oid = confrelid
  WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conrelid <> confrelid`;

/**
 * Creates the tables with the migrations of the backup, and fills them in one transaction, so that the database holds
 * the backup or nothing. Triggers are off meanwhile: what they wrote is in the backup. Foreign keys and checks are on.
 */
export async function loadDatabase({ client, url, source, manifest, migrations, ring }) {
  await migrate(url, migrations);
  await client.query('BEGIN');
  try {
    await switchTriggers(client, manifest.tables, 'DISABLE');
    // Migrations insert rows of their own, which the backup has too. The cascade reaches the empty tables that a backup
    // leaves out.
    await client.query(
      `TRUNCATE ${manifest.tables.map(({ name }) => client.escapeIdentifier(name)).join(', ')} CASCADE`,
    );
    await makePartitions(client, manifest.partitions ?? []);
    for (const table of await inOrderOfReferences(client, manifest.tables)) await load(client, table, source);
    for (const { name, value } of manifest.sequences)
      await client.query('SELECT setval(quote_ident($1)::regclass, $2::bigint)', [name, value]);
    await switchTriggers(client, manifest.tables, 'ENABLE');
    await refuseUnopened(client, ring);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
  await client.query('ANALYZE');
}

async function migrate(url, migrations) {
  const options = dataSourceOptions(url, 2);
  const extra = {
    ...options.extra,
    statement_timeout: 0,
    lock_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  };
  const dataSource = await new DataSource({ ...options, extra, migrations }).initialize();
  try {
    await dataSource.runMigrations();
  } finally {
    await dataSource.destroy();
  }
}

/** Gives the empty tables the partitions of the backup instead of those of today. */
async function makePartitions(client, partitions) {
  const tables = new Set(partitions.map(({ table }) => table));
  const { rows } = await client.query(
    'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent::regclass::text = ANY($1)',
    [[...tables]],
  );
  for (const { name } of rows) await client.query(`DROP TABLE ${name}`);
  for (const { table, name, bounds } of partitions)
    await client.query(
      `CREATE TABLE ${client.escapeIdentifier(name)} PARTITION OF ${client.escapeIdentifier(table)} ${bounds}`,
    );
}

async function switchTriggers(client, tables, action) {
  for (const { name } of tables)
    await client.query(`ALTER TABLE ${client.escapeIdentifier(name)} ${action} TRIGGER USER`);
}

/** A table comes after those that it refers to. */
async function inOrderOfReferences(client, tables) {
  const { rows } = await client.query(REFERENCES);
  const ordered = [];
  while (ordered.length < tables.length) {
    const names = ordered.map(({ name }) => name);
    const isReady = ({ name }) => rows.every(({ from, to }) => from !== name || names.includes(to));
    const ready = tables.filter((table) => !names.includes(table.name) && isReady(table));
    if (ready.length === 0)
      throw new Error('The references between the tables form a cycle, so they cannot be restored.');
    ordered.push(...ready);
  }
  return ordered;
}

async function load(client, { name, file, rows, columns }, source) {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const text = createReadStream(join(source, 'database', file)).pipe(createGunzip());
  const loaded = await copyIn(client, `COPY ${client.escapeIdentifier(name)} (${list}) FROM STDIN`, text);
  if (loaded !== rows) throw new Error(`The table ${name} has ${loaded} rows instead of ${rows}.`);
}

/** @throws {KeyRingError} when a sealed value does not open: a service on this database could not use it */
async function refuseUnopened(client, ring) {
  const sealed = await SealedDatabase.in(client);
  for (const value of (await sealed?.values()) ?? []) {
    try {
      ring.open(value.sealed, contextOf(value));
    } catch {
      throw new KeyRingError(
        `The key ring does not open ${nameOf(value)}: name the key ring of this backup.`,
      );
    }
  }
}
