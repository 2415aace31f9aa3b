import { withClient, withDatabase } from '../keys/database.mjs';

/** A database that froze while it was asked keeps no check waiting for longer. */
const PATIENCE_MS = 30_000;

let isAway = false;

/** The check of the database found why it cannot be used, so that the others need not wait for it one by one. */
export class DatabaseAway extends Error {}

/** From now on nothing asks the database. */
export function giveUpDatabase() {
  isAway = true;
}

/**
 * Runs `work` with a connection, or with null where the embedded database does not exist yet.
 * @throws {DatabaseAway} when the check of the database has failed
 */
export async function ask(settings, work) {
  if (isAway) throw new DatabaseAway();
  return withClient(settings, (client) => patiently(client, () => work(client)));
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
