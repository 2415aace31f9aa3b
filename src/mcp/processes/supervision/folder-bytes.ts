import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** An entry counts as one block at least: files without content use up a file system too. */
const LEAST_BYTES = 4_096;
const BLOCK_BYTES = 512;

/**
 * Returns the bytes that the files of some folders occupy, links not followed. Counting stops beyond `most`, so that a
 * server with endless files costs no endless walk. A folder that cannot be read counts as endless.
 */
export async function bytesIn(folders: readonly string[], most: number): Promise<number> {
  let sum = 0;
  const left = [...folders];
  for (let folder = left.pop(); folder !== undefined && sum <= most; folder = left.pop()) {
    for (const { path, isFolder, bytes } of await entriesOf(folder, most - sum)) {
      sum += bytes;
      if (isFolder) left.push(path);
    }
  }
  return sum;
}

interface Entry {
  path: string;
  isFolder: boolean;
  bytes: number;
}

async function entriesOf(folder: string, most: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  let sum = 0;
  try {
    for await (const { name } of await opendir(folder)) {
      const entry = await entryAt(join(folder, name));
      if (entry) entries.push(entry);
      sum += entry?.bytes ?? 0;
      if (sum > most) break;
    }
  } catch (error) {
    if (!isGone(error)) entries.push(UNCOUNTABLE);
  }
  return entries;
}

async function entryAt(path: string): Promise<Entry | null> {
  try {
    const stats = await lstat(path);
    return {
      path,
      isFolder: stats.isDirectory(),
      bytes: Math.max(stats.blocks * BLOCK_BYTES, LEAST_BYTES),
    };
  } catch (error) {
    return isGone(error) ? null : UNCOUNTABLE;
  }
}

/**
 * A server can take the right to read its folders away from the service, or nest them deeper than a path can be long.
 * What cannot be counted is too much, or a server would have a whole disk in such a folder.
 */
const UNCOUNTABLE: Entry = { path: '', isFolder: false, bytes: Infinity };

/** The server changes its files meanwhile: what has gone is not counted, and the rest is. */
function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}
