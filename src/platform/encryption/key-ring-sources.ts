import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { link, mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { keyBytes, KeyRing, type KeyRingDocument, KeyRingError, parseKeyRing, ringOf } from './key-ring.js';

/** Where the key ring is: in `keys` (ENCRYPTION_KEYS) if that is set, otherwise in `file` (ENCRYPTION_KEYRING_FILE). */
export interface KeyRingSource {
  file: string;
  keys: string | null;
}

/**
 * Loads the key ring, or returns null where there is no file yet.
 * @throws {KeyRingError} when it is invalid, or when users other than the service's can read it
 */
export function loadKeyRing(source: KeyRingSource): KeyRing | null {
  if (source.keys !== null) return naming('ENCRYPTION_KEYS', () => ringOfKeys(source.keys!));
  const document = loadKeyRingFile(source.file);
  return document && naming(settingOf(source.file), () => ringOf(document));
}

/**
 * Loads the document in the file, or returns null where there is no file.
 * @throws {KeyRingError} when it is invalid, or when users other than the service's can read it
 */
export function loadKeyRingFile(file: string): KeyRingDocument | null {
  const text = readPrivateFile(file);
  return text === null ? null : naming(settingOf(file), () => parseKeyRing(text));
}

/** Parses `id:base64,…`, of which the first key is primary. */
function ringOfKeys(keys: string): KeyRing {
  const entries = keys.split(',').map((entry) => {
    const [id = '', ...base64] = entry.trim().split(':');
    return { id, key: keyBytes(base64.join(':')) };
  });
  return new KeyRing(entries, entries[0]!.id);
}

/** Checks the opened file, not its name: the name may lead to another file between the check and the read. */
function readPrivateFile(file: string): string | null {
  const descriptor = openOrNull(file);
  if (descriptor === null) return null;
  try {
    refuseUnlessPrivate(file, fstatSync(descriptor));
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function openOrNull(file: string): number | null {
  try {
    // Non-blocking: opening a named pipe would wait for its other end for ever.
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new KeyRingError(
      `${settingOf(file)} can't be read (${code}): give the service's user access to it.`,
    );
  }
}

function refuseUnlessPrivate(file: string, stats: Stats): void {
  const setting = settingOf(file);
  if (!stats.isFile()) throw new KeyRingError(`${setting} is not a regular file: name the key ring's file.`);
  const mode = stats.mode & 0o777;
  if (mode & ~0o600)
    throw new KeyRingError(
      `${setting} has mode 0${mode.toString(8)}: run chmod 600 on it, so that no other user can read its keys.`,
    );
  const self = process.geteuid?.() ?? stats.uid;
  if (stats.uid !== self && stats.uid !== 0)
    throw new KeyRingError(
      `${setting} belongs to another user (uid ${stats.uid}): run as that user, or make the file your own with chown.`,
    );
}

/** Returns how an error message names the file. */
export function settingOf(file: string): string {
  return `ENCRYPTION_KEYRING_FILE (${file})`;
}

function naming<T>(setting: string, load: () => T): T {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof KeyRingError)) throw error;
    throw new KeyRingError(`${setting} ${error.message}.`);
  }
}

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
