import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const fileIn = (dataDir) => join(dataDir, 'last-backup.json');

/** Records when and where the last backup was made, for `npm run doctor`. */
export async function recordBackup(dataDir, folder) {
  const record = { at: new Date().toISOString(), folder };
  try {
    await writeFile(fileIn(dataDir), `${JSON.stringify(record)}\n`, { mode: 0o600 });
  } catch (error) {
    console.error(`Warning: ${fileIn(dataDir)} could not be written (${error.code}).`);
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
