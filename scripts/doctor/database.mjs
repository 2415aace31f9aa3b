import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { checkDatabaseFiles } from '../../dist/src/platform/config/tls-files.js';
import { SettingsError } from '../../dist/src/platform/config/load-settings.js';
import { clusterExists } from '../../dist/src/platform/embedded-postgres/postgres-cluster.js';
import { probeDatabases } from '../../dist/src/platform/start/database-probe.js';
import { StartError } from '../../dist/src/platform/exit/exit-codes.js';
import { withClient } from '../keys/database.mjs';
import { inRoot } from '../paths.mjs';
import { nameOf, ok, problem } from './verdict.mjs';

/** Whether there is a database to query: the first start creates the embedded one. */
export async function isMade({ databaseUrl, dataDir }) {
  return databaseUrl !== null || (await clusterExists(join(dataDir, 'postgres')));
}

/** Checks that the database is reachable, of a supported version, writable, and not migrated by a later build. */
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
  const { rows } = await client.query('SELECT timestamp::text FROM migrations');
  const known = await migrationsOfBuild();
  const run = new Set(rows.map(({ timestamp }) => timestamp));
  const unknown = [...run].filter((timestamp) => !known.includes(timestamp));
  if (unknown.length > 0)
    return problem(
      `it was migrated by a later build (${unknown.join(', ')})`,
      'run that build or a later one, or restore the backup from before it',
    );
  const pending = known.filter((timestamp) => !run.has(timestamp)).length;
  return ok(
    `PostgreSQL ${version}, ${pending === 0 ? 'migrated' : `${pending} migration(s) run at the next start`}`,
  );
}

async function migrationsOfBuild() {
  const names = await readdir(inRoot('dist/migrations'));
  return names.flatMap((name) => /^(\d+)-.*\.js$/.exec(name)?.[1] ?? []);
}
