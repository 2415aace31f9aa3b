// How the commands reach the database, whether the service runs or not.
import { join } from 'node:path';
import { Client } from 'pg';
import { lockDataDir } from '../../dist/src/platform/embedded-postgres/data-dir-lock-and-process-identity.js';
import { startEmbeddedPostgres } from '../../dist/src/platform/embedded-postgres/embedded-postgres.js';
import { clusterExists } from '../../dist/src/platform/embedded-postgres/postgres-cluster.js';
import {
  connectionUrl,
  readCredentials,
} from '../../dist/src/platform/embedded-postgres/postgres-cluster.js';
import { readPostmasterPid } from '../../dist/src/platform/embedded-postgres/postgres-process.js';
import { connectionError, ofDirectUrl } from '../../dist/src/platform/start/connection-refusals.js';
import { prepareDataFolder } from '../../dist/src/platform/start/data-folder-clock-and-descriptor-checks.js';
import { refuseTablesOfLater } from './known-migrations.mjs';
import { SealedDatabase } from './sealed-database.mjs';

/** Two keys commands at the same time would each write a ring without the other's key. */
const KEYS_LOCK = 727_002;

/** Runs `work` with the SealedDatabase, or with null when no database exists yet and so nothing is sealed. */
export function withDatabase(settings, work) {
  return withClient(settings, async (client) => {
    await client?.query('SELECT pg_advisory_lock($1)', [KEYS_LOCK]);
    return work(client && (await SealedDatabase.in(client)));
  });
}

/** As `withDatabase`, but refuses a database that may hold sealed values of a later version, which this one does not know. */
export function withWholeDatabase(settings, work) {
  return withDatabase(settings, async (database) => {
    await refuseTablesOfLater(database && database.client);
    return work(database);
  });
}

/** Runs `work` with a connection, or with null when the embedded database does not exist yet. */
export async function withClient(settings, work) {
  if (settings.databaseDirectUrl) return connectedDirectly(settings, work);
  await prepareDataFolder(settings);
  const lock = await lockUnlessInUse(settings.dataDir);
  if (!lock) return connected(await urlOfRunningService(settings.dataDir), work);
  try {
    if (!(await clusterExists(join(settings.dataDir, 'postgres')))) return await work(null);
    return await withOwnServer(settings.dataDir, work);
  } finally {
    await lock.release();
  }
}

/** Runs `work` with a connection past a pooler, where there is one. An error names the setting of the URL in use. */
export async function connectedDirectly({ databaseDirectUrl, isDatabasePooled }, work) {
  return connected(databaseDirectUrl, work, isDatabasePooled ? ofDirectUrl : undefined);
}

/** Returns null when the service, or another command, holds the folder. */
async function lockUnlessInUse(dataDir) {
  try {
    return await lockDataDir(dataDir);
  } catch (error) {
    if (error.code) throw error;
    return null;
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
  throw new Error(`The service on ${dataDir} is starting or stopping. Try again in a moment.`);
}

/**
 * Runs `work` with a connection to this URL, and ends the connection.
 * @param asNamed says of another setting what the error of a refused connection says of DATABASE_URL
 */
export async function connected(connectionString, work, asNamed = (error) => error) {
  const client = new Client({
    connectionString,
    application_name: 'agent-work-platform command',
    connectionTimeoutMillis: 5_000,
    lock_timeout: 30_000,
  });
  client.on('error', () => undefined);
  await connect(client, asNamed);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Says why as the start does, with host, cause and what to do; the embedded database has no address that could be wrong. */
async function connect(client, asNamed) {
  try {
    await client.connect();
  } catch (error) {
    if (!client.host.startsWith('/')) throw asNamed(await connectionError(client, error));
    throw new Error(`The embedded database does not accept a connection (${error.code ?? error.message}).`, {
      cause: error,
    });
  }
}
