// The way of the commands to the database, whether the service runs or not.
import { join } from 'node:path';
import { Client } from 'pg';
import { lockDataDir } from '../../dist/src/platform/database/embedded/data-dir-lock.js';
import { startEmbeddedPostgres } from '../../dist/src/platform/database/embedded/embedded-postgres.js';
import { clusterExists } from '../../dist/src/platform/database/embedded/postgres-cluster.js';
import {
  connectionUrl,
  readCredentials,
} from '../../dist/src/platform/database/embedded/postgres-credentials.js';
import { readPostmasterPid } from '../../dist/src/platform/database/embedded/postmaster-pid.js';
import { SealedDatabase } from './sealed-database.mjs';

/** Two keys commands at once would each write a ring that lacks the other's key. */
const KEYS_LOCK = 727_002;

/** Runs `work` with the SealedDatabase, or with null where there is no database yet: then nothing is sealed. */
export function withDatabase(settings, work) {
  return withClient(settings, async (client) => {
    await client?.query('SELECT pg_advisory_lock($1)', [KEYS_LOCK]);
    return work(client && (await SealedDatabase.in(client)));
  });
}

/** Runs `work` with a connection, or with null where the embedded database is not made yet. */
export async function withClient(settings, work) {
  if (settings.databaseUrl) return connected(settings.databaseUrl, work);
  const lock = await lockDataDir(settings.dataDir).catch(() => null);
  if (!lock) return connected(await urlOfRunningService(settings.dataDir), work);
  try {
    if (!(await clusterExists(join(settings.dataDir, 'postgres')))) return await work(null);
    return await withOwnServer(settings.dataDir, work);
  } finally {
    await lock.release();
  }
}

async function withOwnServer(dataDir, work) {
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined, onExit: () => undefined });
  try {
    return await connected(server.url, work);
  } finally {
    await server.stop();
  }
}

async function urlOfRunningService(dataDir) {
  const server = await readPostmasterPid(join(dataDir, 'postgres'));
  const credentials = await readCredentials(dataDir);
  if (server?.ready && credentials) return connectionUrl(server, credentials);
  throw new Error(`The service on ${dataDir} is just starting or stopping: try again in a moment.`);
}

async function connected(connectionString, work) {
  const client = new Client({
    connectionString,
    application_name: 'agent-work-platform keys',
    connectionTimeoutMillis: 5_000,
    lock_timeout: 30_000,
  });
  client.on('error', () => undefined);
  await connect(client);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function connect(client) {
  try {
    await client.connect();
  } catch (error) {
    throw new Error(`The database does not answer (${error.code ?? error.message}): see DATABASE_URL.`, {
      cause: error,
    });
  }
}
