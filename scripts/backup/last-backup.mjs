import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withClient } from '../keys/database.mjs';

const BACKUP = 'last-backup.json';
const DRILL = 'last-restore-drill.json';

/** The row of `chores` that the service shows in /metrics. The clock is that of the database, as for chores. */
const SUCCEEDED = `
  INSERT INTO chores (name, ran_at, succeeded_at) VALUES ('backup', now(), now())
  ON CONFLICT (name) DO UPDATE SET ran_at = now(), succeeded_at = now(), failures = 0`;
const FAILED = `
  INSERT INTO chores (name, ran_at, failures) VALUES ('backup', now(), 1)
  ON CONFLICT (name) DO UPDATE SET ran_at = now(), failures = chores.failures + 1`;

/** Records when and where the last backup was made, for `npm run doctor`, and that it succeeded, for /metrics. */
export async function recordBackup(settings, folder) {
  await record(join(settings.dataDir, BACKUP), folder);
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

/** Records when the last restore on trial succeeded, and of which backup. */
export const recordDrill = (dataDir, folder) => record(join(dataDir, DRILL), folder);

async function record(file, folder) {
  try {
    await writeFile(file, `${JSON.stringify({ at: new Date().toISOString(), folder })}\n`, { mode: 0o600 });
  } catch (error) {
    console.error(`Warning: ${file} could not be written (${error.code}).`);
  }
}

/** Returns `{at, folder}` of the last backup, or null when none is recorded. */
export const lastBackup = (dataDir) => read(join(dataDir, BACKUP));

/** Returns `{at, folder}` of the last restore on trial, or null when none is recorded. */
export const lastDrill = (dataDir) => read(join(dataDir, DRILL));

async function read(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return null; // A record that cannot be read is as good as none.
  }
}
