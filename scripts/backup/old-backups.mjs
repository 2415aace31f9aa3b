import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { MANIFEST } from './manifest.mjs';

/** The names that `npm run backup` gives, which sort by date. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;
const DRAFT = '.unfinished';
/** A backup that takes longer than this was interrupted. */
const DRAFT_MS = 86_400_000;

/** Returns the names of the complete backups in this folder, the newest first. Nothing else in it is looked at. */
export async function completeBackups(folder) {
  const names = (await readdir(folder)).filter((name) => NAME.test(name));
  const complete = await Promise.all(names.map((name) => isThere(join(folder, name, MANIFEST))));
  return names
    .filter((_, at) => complete[at])
    .toSorted()
    .toReversed();
}

/**
 * Removes the complete backups beyond the newest `keep`, each with the key ring that was copied with it, and what interrupted
 * backups and removals left: a folder is renamed to one of an interrupted backup before its files go.
 */
export async function removeOld({ folder, ringFolder }, keep) {
  const place = resolve(folder);
  const old = (await completeBackups(place)).slice(keep);
  for (const name of old) {
    if (ringFolder !== null) await rm(join(resolve(ringFolder), name), { recursive: true, force: true });
    await rename(join(place, name), join(place, `${name}${DRAFT}`));
    await rm(join(place, `${name}${DRAFT}`), { recursive: true });
  }
  if (old.length > 0) console.log(`Removed ${old.length} older backup(s), up to ${old[0]}.`);
  await removeDrafts(place);
}

async function removeDrafts(folder) {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(DRAFT) || !NAME.test(name.slice(0, -DRAFT.length))) continue;
    const { mtimeMs } = await stat(join(folder, name));
    if (Date.now() - mtimeMs > DRAFT_MS) await rm(join(folder, name), { recursive: true });
  }
}

async function isThere(file) {
  try {
    await stat(file);
    return true;
  } catch {
    return false; // A backup without a manifest is not complete.
  }
}
