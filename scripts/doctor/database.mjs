import { join } from 'node:path';
import { checkDatabaseFiles } from '../../dist/src/platform/config/database-tls.js';
import { SettingsError } from '../../dist/src/platform/config/setting-rules.js';
import {
  LATER_REMEDY,
  laterSchema,
  laterSentence,
  refuseNeededVersion,
} from '../../dist/src/platform/database/schema-versions.js';
import { probeDatabases } from '../../dist/src/platform/start/pooler-standby-and-version-checks.js';
import { StartError } from '../../dist/src/platform/exit/exit-codes.js';
import { connected } from '../keys/database.mjs';
import { knownMigrations } from '../keys/known-migrations.mjs';
import { ask, isMade } from './asked-database.mjs';
import { checkConnections, checkEncoding, checkOwnTables, checkRights } from './database-fitness.mjs';
import { checkTransactionAge } from './upkeep.mjs';
import { nameOf, note, ok, problem } from './verdict.mjs';

/**
 * Checks that the database is reachable, of a supported version, writable, the service's own, and that this version may run on its
 * schema.
 */
export async function checkDatabase(settings) {
  if (!(await isMade(settings))) return ok('the embedded one, created by the first start');
  try {
    checkDatabaseFiles(settings);
    if (settings.databaseUrl) await probeDatabases(settings);
    return (await checkDirectUrl(settings)) ?? (await ask(settings, (client) => judge(client, settings)));
  } catch (error) {
    if (error instanceof StartError) return problem(error.problem, error.remedy);
    if (error instanceof SettingsError) return problem(...error.message.replace(/\.$/, '').split('. '));
    if (settings.databaseUrl)
      return problem(
        `DATABASE_URL: the database cannot be read (${nameOf(error)})`,
        'look into the log of PostgreSQL, which says more',
      );
    return problem(
      error.message,
      `read ${join(settings.dataDir, 'postgres.log')}; docs/operations.md, "Restore", is the way back to a backup`,
    );
  }
}

async function judge(client, settings) {
  const found =
    (await checkOwnTables(client)) ??
    (await checkRights(client)) ??
    (await checkEncoding(client)) ??
    (await checkMigrations(client));
  if (found.level !== 'ok') return found;
  return (await checkConnections(client, settings)) ?? (await checkTransactionAge(client)) ?? found;
}

/** When a database was made, and its id there: two addresses with the same values lead to one database. */
const IDENTITY = `SELECT pg_postmaster_start_time()::text || '/' || oid AS id FROM pg_database WHERE datname = current_database()`;

/** A pooler may lead to another server, and DATABASE_DIRECT_URL may name another database. */
async function checkDirectUrl(settings) {
  if (!settings.isDatabasePooled) return null;
  const idOf = async (client) => (await client.query(IDENTITY)).rows[0].id;
  const [pooled, direct] = [
    await connected(settings.databaseUrl, idOf),
    await connected(settings.databaseDirectUrl, idOf),
  ];
  if (pooled === direct) return null;
  return problem(
    'DATABASE_DIRECT_URL leads to another database than DATABASE_URL',
    'set DATABASE_DIRECT_URL to the database behind the pooler of DATABASE_URL',
  );
}

async function checkMigrations(client) {
  const { rows } = await client.query(
    `SELECT current_setting('server_version') AS version, to_regclass('public.migrations') AS migrations`,
  );
  const [{ version, migrations }] = rows;
  return migrations ? await judgeMigrations(client, version) : ok(`PostgreSQL ${version}, empty`);
}

async function judgeMigrations(client, version) {
  const query = async (sql) => (await client.query(sql)).rows;
  await refuseNeededVersion(query);
  const known = await knownMigrations();
  const later = await laterSchema(query, known);
  if (later) return note(laterSentence(later), LATER_REMEDY);
  const run = await query('SELECT name FROM migrations');
  const pending = known.length - run.length;
  return ok(
    `PostgreSQL ${version}, ${pending === 0 ? 'migrated' : `${pending} migration(s) run at the next start`}`,
  );
}
