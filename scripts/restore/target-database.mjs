import { lockDataDir } from '../../dist/src/platform/embedded-postgres/data-dir-lock.js';
import { startEmbeddedPostgres } from '../../dist/src/platform/embedded-postgres/embedded-postgres.js';
import { probeDatabase } from '../../dist/src/platform/start/pooler-standby-and-version-checks.js';
import { ofDirectUrl } from '../../dist/src/platform/start/connection-refusals.js';
import { EXIT_CONFIG, StartError } from '../../dist/src/platform/exit/exit-codes.js';
import { connected, connectedDirectly } from '../keys/database.mjs';

/** Runs `work` with a connection to the database that is restored into, and its URL. Creates the embedded one. */
export async function withTargetDatabase(settings, work) {
  const { databaseDirectUrl: url, dataDir, isDatabasePooled } = settings;
  if (!url) return withNewCluster(dataDir, work);
  await probeDatabase(url).catch((error) => {
    throw isDatabasePooled ? ofDirectUrl(error) : error;
  });
  return connectedDirectly(settings, (client) => work(client, url));
}

/** @throws {StartError} when the database has a table */
export async function refuseUnlessDatabaseIsEmpty(client) {
  const { rows } = await client.query(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') LIMIT 1`,
  );
  if (rows.length === 0) return;
  throw new StartError(
    `The database of DATABASE_URL is not empty: it has the table ${rows[0].name}`,
    'create a new database and name it in DATABASE_URL',
    EXIT_CONFIG,
  );
}

async function withNewCluster(dataDir, work) {
  const lock = await lockDataDir(dataDir);
  try {
    const server = await startEmbeddedPostgres({ dataDir, log: () => undefined, onExit: () => undefined });
    try {
      return await connected(server.url, (client) => work(client, server.url));
    } finally {
      await server.stop();
    }
  } finally {
    await lock.release();
  }
}
