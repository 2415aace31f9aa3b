import { constants, copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { KeyRingError } from '../../dist/src/platform/encryption/key-ring.js';
import { loadKeyRing } from '../../dist/src/platform/encryption/key-ring-sources.js';
import { proveAgainst } from './prove-key-ring.mjs';

/**
 * Copies the key ring after the database, so that it has every key that the copied values were sealed with.
 * @returns a sentence on where the key ring is
 */
export async function copyKeyRing(settings, keys, folder) {
  const { encryptionKeyringFile: file, encryptionKeys } = settings;
  const ring = loadKeyRing({ file, keys: encryptionKeys });
  await proveAgainst(ring, keys, file);
  if (encryptionKeys !== null && folder)
    throw new KeyRingError(
      'ENCRYPTION_KEYS holds the key ring, which is not a file: leave out --ring and keep a copy of that setting.',
    );
  if (encryptionKeys !== null)
    return 'The key ring is in ENCRYPTION_KEYS: keep a copy of that setting elsewhere.';
  if (!ring) return 'There is no key ring yet, because nothing is sealed.';
  if (!folder)
    return `The key ring is NOT in this backup: keep a copy of ${file} elsewhere (--ring FOLDER makes one). Without it the credentials are lost.`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const copy = join(folder, 'keyring.json');
  await copyFile(file, copy, constants.COPYFILE_EXCL);
  return `Copied the key ring to ${copy}. Keep it apart from the backup.`;
}
