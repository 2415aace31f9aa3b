import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import {
  prepareDataFolder,
  UNFINISHED_RESTORE,
} from '../../dist/src/platform/start/data-folder-clock-and-descriptor-checks.js';
import { EXIT_CONFIG, StartError } from '../../dist/src/platform/exit/exit-codes.js';

/** @throws {StartError} when DATA_DIR holds anything but the key ring, or cannot take the attachments */
export async function refuseUnlessFolderIsEmpty(settings, { attachments }) {
  refuseOtherStore(settings, attachments);
  const { dataDir } = settings;
  const found = (await namesIn(dataDir)).filter((name) => !mayStay(settings, name));
  if (found.length === 0) return;
  throw new StartError(
    `DATA_DIR (${dataDir}) is not empty: it holds ${found.slice(0, 3).join(', ')}${found.length > 3 ? ', …' : ''}`,
    'set DATA_DIR to a new folder, or move its contents away',
    EXIT_CONFIG,
  );
}

/**
 * Copies the attachments into the data folder and runs `work`. A marker keeps a service from starting on the beginning of
 * a restore; after an error the folder is empty again.
 */
export async function fillDataFolder(settings, source, work) {
  const { dataDir } = settings;
  await prepareDataFolder(settings);
  const marker = join(dataDir, UNFINISHED_RESTORE);
  await writeFile(marker, '', { flag: 'wx', mode: 0o600 });
  const before = await namesIn(dataDir);
  try {
    for (const folder of ['attachments', 'archive'])
      await copyFiles(join(source, folder), join(dataDir, folder));
    await work();
  } catch (error) {
    const made = (await namesIn(dataDir)).filter((name) => !before.includes(name));
    for (const name of [...made, UNFINISHED_RESTORE])
      await rm(join(dataDir, name), { recursive: true, force: true });
    throw error;
  }
  await rm(marker);
}

function refuseOtherStore({ s3 }, { store, bucket }) {
  const wanted = s3 ? 's3' : 'disk';
  if (store === wanted) return;
  throw new StartError(
    store === 's3'
      ? `The attachments of the backup are in the bucket ${bucket}, but ATTACHMENT_STORE is disk`
      : 'The attachments of the backup are files, but ATTACHMENT_STORE is s3',
    `set ATTACHMENT_STORE=${store} for the restore; docs/operations.md says how to move attachments afterwards`,
    EXIT_CONFIG,
  );
}

/** The operator may have put the key ring in its place. A new disk has lost+found. */
function mayStay({ dataDir, encryptionKeyringFile }, name) {
  return name === 'lost+found' || name === relative(dataDir, encryptionKeyringFile);
}

async function copyFiles(source, target) {
  const names = await namesIn(source);
  if (names.length === 0) return;
  await mkdir(target, { recursive: true, mode: 0o700 });
  for (const name of names) await copyFile(join(source, name), join(target, name));
}

/** A folder that does not exist has no names. */
async function namesIn(folder) {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}
