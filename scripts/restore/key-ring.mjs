import { existsSync } from 'node:fs';
import { KeyRingError } from '../../dist/src/platform/encryption/key-ring.js';
import { loadKeyRing, loadKeyRingFile } from '../../dist/src/platform/encryption/key-ring-sources.js';
import { createKeyRingFile } from '../../dist/src/platform/encryption/key-ring-sources.js';
import { proveAgainst } from '../backup/prove-key-ring.mjs';

/**
 * Finds the key ring and proves it against the backup. `install` puts the file of `--ring` in its place.
 * @throws {KeyRingError} when it is missing, or belongs to another database
 */
export async function prepareKeyRing(settings, { keys }, ringFile) {
  if (ringFile !== null) return givenRing(settings, keys, ringFile);
  const { encryptionKeyringFile: file, encryptionKeys } = settings;
  const ring = loadKeyRing({ file, keys: encryptionKeys });
  if (!ring && keys.length > 0)
    throw new KeyRingError(
      `The backup is sealed with key ${keys.map(({ id }) => `'${id}'`).join(', ')}, and there is no key ring at ENCRYPTION_KEYRING_FILE (${file}): name the copy of the key ring with --ring FILE.`,
    );
  await proveAgainst(ring, keys, file);
  return { ring, install: async () => undefined };
}

async function givenRing({ encryptionKeyringFile: file, encryptionKeys }, keys, ringFile) {
  if (encryptionKeys !== null)
    throw new KeyRingError(
      'ENCRYPTION_KEYS holds a key ring already: leave out --ring, or unset ENCRYPTION_KEYS.',
    );
  if (existsSync(file))
    throw new KeyRingError(
      `There is a key ring at ENCRYPTION_KEYRING_FILE (${file}) already: leave out --ring to use it, or move it away.`,
    );
  const ring = loadKeyRing({ file: ringFile, keys: null });
  if (!ring)
    throw new KeyRingError(`There is no key ring at ${ringFile}: name an existing file with --ring.`);
  await proveAgainst(ring, keys, ringFile);
  return { ring, install: () => createKeyRingFile(file, loadKeyRingFile(ringFile)) };
}
