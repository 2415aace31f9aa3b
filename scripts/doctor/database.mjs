import { join } from 'node:path';
import { checkDatabaseFiles } from '../../dist/src/platform/config/tls-files.js';
import { SettingsError } from '../../dist/src/platform/config/load-settings.js';
import {
  LATER_REMEDY,
  laterSchema,
  laterSentence,
  refuseNeededVersion,
} from '../../dist/src/platform/database/migrate.js';
import { clusterExists } from '../../dist/src/platform/embedded-postgres/postgres-cluster.js';
import { probeDatabases } from '../../dist/src/platform/start/database-probe.js';
import { StartError } from '../../dist/src/platform/exit/exit-codes.js';
import { withClient } from '../keys/database.mjs';
import { knownMigrations } from '../keys/known-migrations.mjs';
import { nameOf, note, ok, problem } from './verdict.mjs';

/** Whether there is a database to query: the first start creates the embedded one. */
export async function isMade({ databaseUrl, dataDir }) {
  return databaseUrl !== null || (await clusterExists(join(dataDir, 'postgres')));
}

/** Checks that the database is reachable, of a supported version, writable, and that this version may run on its schema. */
export async function checkDatabase(settings) {
  if (!(await isMade(settings))) return ok('the embedded one, created by the first start');
  try {
    checkDatabaseFiles(settings);
    if (settings.databaseUrl) await probeDatabases(settings);
    return await withClient(settings, judge);
  } catch (error) {
    if (error instanceof StartError)
      return problem(settings.secrets.named(error.problem), settings.secrets.named(error.remedy));
    if (error instanceof SettingsError) return problem(...error.message.replace(/\.$/, '').split('. '));
    if (settings.databaseUrl)
      return problem(
        `DATABASE_URL: the database cannot be read (${nameOf(error)})`,
        'allow the user of DATABASE_URL to read the tables of the service; the log of PostgreSQL says more',
      );
    return problem(
      error.message,
      `read ${join(settings.dataDir, 'postgres.log')}; docs/operations.md, "Restore", is the way back to a backup`,
    );
  }
}

async function judge(client) {
  const { rows } = await client.query(
    `SELECT current_setting('server_version') AS version, to_regclass('migrations') AS migrations`,
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
