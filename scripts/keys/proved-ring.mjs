import { loadKeyRing } from '../../dist/src/platform/encryption/key-ring.file.js';
import { proveKeyRing } from '../../dist/src/platform/encryption/key-proof.js';

/** The ring of these settings, proved against the database as at a start, but never made by the way. */
export async function provedRing(settings, database) {
  const ring = loadKeyRing({ file: settings.encryptionKeyringFile, keys: settings.encryptionKeys });
  const nothingSealed = {
    checks: async () => [],
    add: async () => undefined,
    hasCiphertext: async () => false,
  };
  return proveKeyRing(ring, database?.checks ?? nothingSealed, {
    production: true,
    file: settings.encryptionKeyringFile,
  });
}
