import { randomBytes } from 'node:crypto';
import { link, mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { KeyRingDocument } from './key-ring.document.js';
import { KeyRingError } from './key-ring.errors.js';
import { settingOf } from './key-ring.file.js';

/**
 * Makes the file of a new key ring with mode 0600. The file is complete or absent, and it is on the disk before this
 * function returns, because a key that has sealed something must never be lost.
 * @returns false where a file of that name exists, which stays as it is
 * @throws {KeyRingError} when the file cannot be written
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
 * Replaces the file by `document`. A reader sees the old key ring or the new one, and nothing in between.
 * @throws {KeyRingError} when the file cannot be written
 */
export async function replaceKeyRingFile(file: string, document: KeyRingDocument): Promise<void> {
  try {
    // If the name is a link, its target is replaced, not the link.
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

/** Publishes the draft unless the file exists. Of concurrent calls, link(2) lets only one succeed. */
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

/** Flushes the folder. Without it, the name may be gone after a power cut although the bytes are on the disk. */
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
  return new KeyRingError(
    `${settingOf(file)} can't be written (${code}): give the service's user write access to its folder.`,
  );
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
