import { randomBytes } from 'node:crypto';
import { link, mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { KeyRingDocument } from './key-ring.document.js';
import { KeyRingFault } from './key-ring.errors.js';
import { settingOf } from './key-ring.file.js';

/**
 * Makes the file of a new key ring, mode 0600. It is there whole or not at all, and on the disk before this
 * returns: a key must never be lost that has sealed something.
 * @returns false where a file of that name exists already, which is left as it is
 * @throws {KeyRingFault} where the file can't be written
 */
export async function createKeyRingFile(file: string, document: KeyRingDocument): Promise<boolean> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    return await viaDraft(file, document, (draft) => linkUnlessThere(draft, file));
  } catch (error) {
    throw notWritable(file, error);
  }
}

/**
 * Puts `document` in the place of the file: a reader sees the old ring or the new one, nothing between.
 * @throws {KeyRingFault} where the file can't be written
 */
export async function replaceKeyRingFile(file: string, document: KeyRingDocument): Promise<void> {
  try {
    // Where the name is a link, what it leads to is replaced, not the link.
    const target = await realpath(file);
    await viaDraft(target, document, (draft) => rename(draft, target));
  } catch (error) {
    throw notWritable(file, error);
  }
}

async function viaDraft<T>(
  file: string,
  document: KeyRingDocument,
  publish: (draft: string) => Promise<T>,
): Promise<T> {
  const draft = `${file}.${randomBytes(6).toString('hex')}.draft`;
  try {
    await writeThrough(draft, `${JSON.stringify(document, null, 2)}\n`);
    return await publish(draft);
  } finally {
    await rm(draft, { force: true });
    await syncFolder(dirname(file));
  }
}

/** Only one of many can make a name by link(2). */
async function linkUnlessThere(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function writeThrough(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Without it the name may be gone after a power cut, though the bytes are there. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function notWritable(file: string, error: unknown): unknown {
  const code = codeOf(error);
  if (!code) return error;
  return new KeyRingFault(
    `${settingOf(file)} can't be written (${code}): give the service's user its folder.`,
  );
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
