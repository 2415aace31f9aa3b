import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterExists } from '../../dist/src/platform/database/embedded/postgres-cluster.js';
import { withClient } from '../keys/database.mjs';
import { inRoot } from '../paths.mjs';
import { fault, ok } from './verdict.mjs';

const VERSIONS = { least: 15, most: 18 };

/** Whether there is a database to ask: the embedded one is made at the first start. */
export async function isMade({ databaseUrl, dataDir }) {
  return databaseUrl !== null || (await clusterExists(join(dataDir, 'postgres')));
}

/** Reachable, of a version that is tested, with the right to make tables, and not migrated by a later build. */
export async function checkDatabase(settings) {
  if (!(await isMade(settings))) return ok('the embedded one, made at the first start');
  try {
    return await withClient(settings, judge);
  } catch (error) {
    return fault(
      withoutPassword(error.message, settings.databaseUrl),
      settings.databaseUrl
        ? 'start that PostgreSQL, and check host, port, name, user and password in DATABASE_URL'
        : 'see docs/operations.md on damaged databases',
    );
  }
}

async function judge(client) {
  const { rows } = await client.query(
    `SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('server_version') AS said,
       has_schema_privilege(current_user, 'public', 'CREATE') AS "mayCreate", to_regclass('migrations') AS migrations`,
  );
  const [{ version, said, mayCreate, migrations }] = rows;
  if (version < VERSIONS.least || version > VERSIONS.most)
    return fault(`PostgreSQL ${said}`, `use one from ${VERSIONS.least} to ${VERSIONS.most}`);
  if (!mayCreate)
    return fault(
      'its user may not make tables',
      'GRANT CREATE, USAGE ON SCHEMA public to the user of DATABASE_URL',
    );
  return migrations ? await judgeMigrations(client, said) : ok(`PostgreSQL ${said}, empty`);
}

async function judgeMigrations(client, version) {
  const { rows } = await client.query('SELECT timestamp::text FROM migrations');
  const known = await migrationsOfBuild();
  const run = new Set(rows.map(({ timestamp }) => timestamp));
  const unknown = [...run].filter((timestamp) => !known.includes(timestamp));
  if (unknown.length > 0)
    return fault(
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

function withoutPassword(message, url) {
  const password = url && new URL(url).password;
  return password ? message.replaceAll(password, '…').replaceAll(decodeURIComponent(password), '…') : message;
}
