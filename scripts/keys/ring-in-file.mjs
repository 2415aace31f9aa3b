import { KeyRingFault } from '../../dist/src/platform/encryption/key-ring.errors.js';
import { loadKeyRingFile } from '../../dist/src/platform/encryption/key-ring.file.js';
import { replaceKeyRingFile } from '../../dist/src/platform/encryption/key-ring.writer.js';

/** Replaces the ring's file by what `change` makes of it. */
export async function changeKeyRing(settings, change) {
  if (settings.encryptionKeys)
    throw new KeyRingFault(
      'The key ring comes from ENCRYPTION_KEYS, which only you can change: put id:base64 of 32 new random bytes before the others there, restart, and run `npm run keys -- rotate`.',
    );
  const file = settings.encryptionKeyringFile;
  await replaceKeyRingFile(file, change(loadKeyRingFile(file)));
}
