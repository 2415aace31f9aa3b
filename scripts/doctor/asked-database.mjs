import { join } from 'node:path';
import { clusterExists } from '../../dist/src/platform/embedded-postgres/postgres-cluster.js';
import { withClient, withDatabase } from '../keys/database.mjs';

/** A database that froze while it was asked keeps no check waiting for longer. */
const PATIENCE_MS = 30_000;

let isAway = false;

/** The check of the database found why it cannot be used, so that the others need not wait for it one by one. */
export class DatabaseAway extends Error {}

/** Whether there is a database to query: the first start creates the embedded one. */
export async function isMade({ databaseUrl, dataDir }) {
  return databaseUrl !== null || (await clusterExists(join(dataDir, 'postgres')));
}

/** Sets whether the database cannot be used, so that nothing asks it from now on. */
export function setDatabaseAway(value) {
  isAway = value;
}

/**
 * Runs `work` with a connection, or with null where the embedded database does not exist yet.
 * @throws {DatabaseAway} when the check of the database has failed
 */
export async function ask(settings, work) {
  if (isAway) throw new DatabaseAway();
  return withClient(settings, (client) => patiently(client, () => work(client)));
}

/** undefined_table and undefined_column: an earlier version has migrated the database, and the next start migrates it further. */
const NOT_YET = ['42P01', '42703'];

/** The same, or null where there is no database yet, or one that lacks what `work` reads until it is migrated. */
export async function askMigrated(settings, work) {
  if (!(await isMade(settings))) return null;
  try {
    return await ask(settings, work);
  } catch (error) {
    if (NOT_YET.includes(error.code)) return null;
    throw error;
  }
}

/** The same with the SealedDatabase, or with null where nothing is sealed yet. */
export async function askSealed(settings, work) {
  if (isAway) throw new DatabaseAway();
  return withDatabase(settings, (database) => patiently(database?.client, () => work(database)));
}

async function patiently(client, work) {
  const timer = setTimeout(() => client?.connection.stream.destroy(), PATIENCE_MS);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
