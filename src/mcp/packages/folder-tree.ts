import { readdir, rm, rmdir, stat } from 'node:fs/promises';

/** Removes a folder with its contents; one that does not exist is no error. */
export async function removeTree(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** Removes a folder if it is empty. */
export async function removeIfEmpty(path: string): Promise<void> {
  // The folder is missing or not empty. An empty folder that stays by another error does no harm.
  await rmdir(path).catch(() => undefined);
}

export async function exists(path: string): Promise<boolean> {
  // A path that cannot be read counts as missing: the work that would use it reports the cause.
  return (await stat(path).catch(() => null)) !== null;
}

/** Returns the milliseconds since an entry was added to or removed from a folder; 0 if the folder is gone. */
export async function ageMs(path: string): Promise<number> {
  // Another process may have removed the folder; age 0 leaves it alone.
  const state = await stat(path).catch(() => null);
  return state ? Date.now() - state.mtimeMs : 0;
}

/** Returns the names in a folder; none if it does not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  // A folder that cannot be read has nothing that its callers could remove.
  return await readdir(folder).catch(() => []);
}
