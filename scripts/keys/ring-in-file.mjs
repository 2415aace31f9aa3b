import { KeyRingError } from '../../dist/src/platform/encryption/key-ring.js';
import { loadKeyRingFile } from '../../dist/src/platform/encryption/key-ring-sources.js';
import { replaceKeyRingFile } from '../../dist/src/platform/encryption/key-ring-sources.js';

/** Replaces the key ring in the file by the result of `change`. */
export async function changeKeyRing(settings, change) {
  if (settings.encryptionKeys)
    throw new KeyRingError(
      'The key ring comes from ENCRYPTION_KEYS, which this command cannot change: put id:base64 of 32 new random bytes before the other keys there, restart, and run `npm run keys -- rotate`.',
    );
  const file = settings.encryptionKeyringFile;
  await replaceKeyRingFile(file, change(loadKeyRingFile(file)));
}
