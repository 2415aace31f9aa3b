import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withClient } from '../keys/database.mjs';

const fileIn = (dataDir) => join(dataDir, 'last-backup.json');

/** The row of `chores` that the service shows in /metrics. The clock is that of the database, as for chores. */
const SUCCEEDED = `
  INSERT INTO chores (name, ran_at, succeeded_at) VALUES ('backup', now(), now())
  ON CONFLICT (name) DO UPDATE SET ran_at = now(), succeeded_at = now(), failures = 0`;
const FAILED = `
  INSERT INTO chores (name, ran_at, failures) VALUES ('backup', now(), 1)
  ON CONFLICT (name) DO UPDATE SET ran_at = now(), failures = chores.failures + 1`;

/** Records when and where the last backup was made, for `npm run doctor`, and that it succeeded, for /metrics. */
export async function recordBackup(settings, folder) {
  const file = fileIn(settings.dataDir);
  const record = { at: new Date().toISOString(), folder };
  try {
    await writeFile(file, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  } catch (error) {
    console.error(`Warning: ${file} could not be written (${error.code}).`);
  }
  await recordEnd(settings, SUCCEEDED);
}

/** Records for /metrics that a backup failed. */
export const recordFailure = (settings) => recordEnd(settings, FAILED);

/** A backup is good without it: it may have read a standby, or the database may be what failed. */
async function recordEnd(settings, statement) {
  try {
    await withClient(settings, async (client) => {
      if (client) await client.query(statement);
    });
  } catch (error) {
    console.error(
      `Warning: the database could not record how the backup ended (${error.code ?? error.message}).`,
    );
  }
}

/** Returns `{at, folder}` of the last backup, or null when none is recorded. */
export async function lastBackup(dataDir) {
  try {
    return JSON.parse(await readFile(fileIn(dataDir), 'utf8'));
  } catch {
    return null; // A record that cannot be read is as good as none.
  }
}
