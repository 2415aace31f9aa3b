import { loadKeyRing } from '../../dist/src/platform/encryption/key-ring-sources.js';
import { proveKeyRing } from '../../dist/src/platform/encryption/key-proof-rotation-and-first-ring.js';

/** Returns the key ring of these settings, proved against the database as at a start. Never creates one. */
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
