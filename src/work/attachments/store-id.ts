import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Not the name of an attachment, which is a UUID. */
const FILE = '.store-id';

/**
 * Returns the id of the store in a folder, which the first process that uses the folder gives it. Two processes whose ids
 * differ keep attachments in two places, whatever the paths of their folders are called.
 * @throws {Error} of the file system, when the id can be neither read nor written
 */
export async function storeIdOf(folder: string): Promise<string> {
  const known = await read(folder);
  if (known !== null) return known;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `${FILE}.${randomUUID()}`);
  await writeFile(draft, randomUUID(), { mode: 0o600, flag: 'wx' });
  try {
    // The name appears with its whole contents, and for one of several processes that start at once.
    await link(draft, join(folder, FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(join(folder, FILE), 'utf8');
}

async function read(folder: string): Promise<string | null> {
  try {
    return await readFile(join(folder, FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}
