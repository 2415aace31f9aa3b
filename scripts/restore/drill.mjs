import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { loadSettings } from '../../dist/src/platform/config/load-settings.js';
import { EXIT_CONFIG, EXIT_RETRY, ExitError, StartError } from '../../dist/src/platform/exit/exit-codes.js';
import { completeBackups } from '../backup/old-backups.mjs';
import { RESTORE_DRILL, recordingEnd } from '../backup/recorded-ends.mjs';
import { run as checkKeys } from '../keys/check.mjs';
import { removingOnSignal } from './interrupted-drill.mjs';
import { contentOf, restoreFrom } from './restore.mjs';

/** How the folder of a restore on trial begins. */
const TRIAL = 'awp-restore-drill-';
/** One that takes longer than this was killed. */
const TRIAL_MS = 86_400_000;

/**
 * Restores the newest backup into an embedded database in a temporary folder, opens every value that is sealed in it, and
 * records how that ended. A signal that ends the command removes the folder and ends the database.
 * @throws {ExitError} when there is no backup, or it cannot be restored and opened
 */
export function drill(settings, what) {
  return recordingEnd(settings, RESTORE_DRILL, () => restoreOnTrial(settings, what));
}

async function restoreOnTrial(settings, { folder, ringFolder, work }) {
  const [name] = await backupsIn(resolve(folder));
  if (!name)
    throw new StartError(
      `There is no complete backup in ${resolve(folder)}`,
      'name the folder that `npm run backup` is given',
      EXIT_CONFIG,
    );
  const place = work ?? tmpdir();
  await removeKilled(place);
  const dataDir = await mkdtemp(join(place, TRIAL));
  await removingOnSignal(dataDir, async () => {
    const trial = trialSettings(settings, dataDir, ringFolder !== null);
    const ringFile = ringFolder && join(resolve(ringFolder), name, 'keyring.json');
    await tryOut(trial, { name, backup: join(resolve(folder), name), ringFile });
  });
}

async function tryOut(trial, { name, backup, ringFile }) {
  const begin = Date.now();
  const manifest = await restoreFrom(trial, { backup, ringFile });
  console.log(`Restored ${name} on trial in ${Math.round((Date.now() - begin) / 1000)} s.`);
  console.log(`${contentOf(manifest)}.`);
  if ((await checkKeys(trial)) !== 0)
    throw new ExitError(`The key ring does not open every value of ${name}.`, EXIT_RETRY);
}

/** A restore that was killed by SIGKILL leaves a whole database, and the key ring beside it. */
async function removeKilled(place) {
  for (const name of (await readdir(place)).filter((one) => one.startsWith(TRIAL))) {
    const { mtimeMs } = await stat(join(place, name));
    if (Date.now() - mtimeMs > TRIAL_MS) await rm(join(place, name), { recursive: true, force: true });
  }
}

async function backupsIn(folder) {
  try {
    return await completeBackups(folder);
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

/** The settings of the service, with an embedded database of its own. With a copy of the key ring that alone is used. */
function trialSettings({ encryptionKeyringFile }, dataDir, hasRing) {
  const own = ['DATABASE_URL', 'DATABASE_DIRECT_URL', ...(hasRing ? ['ENCRYPTION_KEYS'] : [])];
  return loadSettings({
    ...process.env,
    ...Object.fromEntries(
      own.flatMap((name) => [
        [name, ''],
        [`${name}_FILE`, ''],
      ]),
    ),
    ROLE: 'all',
    DATA_DIR: dataDir,
    ENCRYPTION_KEYRING_FILE: hasRing ? join(dataDir, 'keyring.json') : encryptionKeyringFile,
  });
}
