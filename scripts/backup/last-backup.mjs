import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const BACKUP = 'last-backup.json';
const DRILL = 'last-restore-drill.json';

/** Records when and where the last backup was made, for `npm run doctor`. */
export const recordBackup = (dataDir, folder) => record(join(dataDir, BACKUP), folder);

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
