import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { keyBytes, parseKeyRing, ringOf, type KeyRingDocument } from './key-ring.document.js';
import { KeyRingError } from './key-ring.errors.js';
import { KeyRing } from './key-ring.js';

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
