import { readdir, rm, rmdir, stat } from 'node:fs/promises';

/** Removes a folder with all that is in it; one that is not there is fine. */
export async function removeTree(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** Removes a folder unless something is in it. */
export async function removeIfEmpty(path: string): Promise<void> {
  await rmdir(path).catch(() => {});
}

export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

/** Milliseconds since something was added to or taken from a folder; 0 where it is gone. */
export async function ageMs(path: string): Promise<number> {
  const state = await stat(path).catch(() => null);
  return state ? Date.now() - state.mtimeMs : 0;
}

/** What is in a folder; nothing where it is not there. */
export async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch(() => []);
}
