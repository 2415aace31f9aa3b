// `npm start` on an embedded database that an earlier version wrote: a backup is made before the migrations run, because going
// back needs it. A database of DATABASE_URL has an operator, and a backup of its own (docs/operations.md, Upgrade).
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../paths.mjs';

/** In the data folder: the last migration of the build that last started on it, so that a start must not open the database first. */
const RECORD = 'migrated.json';
const MIGRATION = /^(\d+-.+)\.js$/;

/**
 * Makes a backup beside the data folder where this build has migrations that the embedded database lacks.
 * @throws {Error} when it cannot be made: then nothing may be migrated
 */
export async function backUpBeforeUpgrade(settings) {
  const { dataDir, databaseUrl } = settings;
  if (databaseUrl !== null || recordedIn(dataDir) === lastMigration()) return;
  const { clusterExists } = await import('../../dist/src/platform/embedded-postgres/postgres-cluster.js');
  if (!(await clusterExists(join(dataDir, 'postgres')))) return;
  const lacking = await lackingMigrations(settings);
  if (lacking.length === 0) return;
  const log = await logOf(settings);
  const folder = `${dataDir}-backups`;
  log.summary(
    `${lacking.length} migration(s) of this version are to run, the last one ${lacking.at(-1)}. A backup is made before in ${folder}; start --no-backup leaves it out.`,
  );
  const { makeBackup } = await import('./back-up.mjs');
  const { final, content } = await makeBackup(settings, { folder, ringFolder: null });
  const rows = content.database.tables.reduce((sum, table) => sum + table.rows, 0);
  log.summary(
    `Backed up ${rows} rows of ${content.database.tables.length} tables to ${final}. To go back, restore it with the version from before and the key ring of ${dataDir}.`,
  );
}

/** Records that this build has started on the data folder. */
export function recordMigrated({ dataDir, databaseUrl }) {
  if (databaseUrl !== null || recordedIn(dataDir) === lastMigration()) return;
  writeFileSync(join(dataDir, RECORD), `${JSON.stringify({ lastMigration: lastMigration() })}\n`, {
    mode: 0o600,
  });
}

const migrations = () =>
  readdirSync(inRoot('dist/migrations')).flatMap((name) => MIGRATION.exec(name)?.[1] ?? []);

const lastMigration = () => migrations().toSorted().at(-1);

function recordedIn(dataDir) {
  try {
    return JSON.parse(readFileSync(join(dataDir, RECORD), 'utf8')).lastMigration;
  } catch {
    return null; // A folder of an earlier version, or a new one.
  }
}

/** A database that has none is new: its first start ended before the first migration. */
async function lackingMigrations(settings) {
  const { withClient } = await import('../keys/database.mjs');
  return withClient(settings, async (client) => {
    const [table] = (await client.query(`SELECT to_regclass('migrations') AS found`)).rows;
    if (!table.found) return [];
    const ran = (await client.query('SELECT timestamp::text FROM migrations')).rows;
    const known = new Set(ran.map(({ timestamp }) => timestamp));
    return migrations()
      .toSorted()
      .filter((name) => !known.has(name.slice(0, name.indexOf('-'))));
  });
}

async function logOf({ logFormat, logLevel }) {
  const { StartLog } = await import('../../dist/src/platform/logging/json-logger-and-start-log.js');
  return new StartLog({ format: logFormat, level: logLevel });
}
