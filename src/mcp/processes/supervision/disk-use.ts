import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** An entry counts as one block at least: files without content use up a file system too. */
const LEAST_BYTES = 4_096;
const BLOCK_BYTES = 512;

/**
 * Returns the bytes that the files of some folders occupy, links not followed. Counting stops beyond `most`, so that a
 * server with endless files costs no endless walk.
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
    for await (const entry of await opendir(folder)) {
      const path = join(folder, entry.name);
      const { blocks } = await lstat(path);
      const bytes = Math.max(blocks * BLOCK_BYTES, LEAST_BYTES);
      entries.push({ path, isFolder: entry.isDirectory(), bytes });
      sum += bytes;
      if (sum > most) break;
    }
  } catch {
    // The server changes its files meanwhile: what has gone is not counted, and the next check sees the rest.
    return entries;
  }
  return entries;
}
