import { proveKeyRing } from '../../dist/src/platform/encryption/key-proof-rotation-and-first-ring.js';

/**
 * Checks a key ring against the check values of a backup, as a start does against those of its database.
 * @throws {KeyRingError} when it is another one, or missing although values are sealed
 */
export async function proveAgainst(ring, keys, file) {
  if (!ring && keys.length === 0) return;
  const store = {
    checks: async () => keys,
    add: async () => undefined,
    hasCiphertext: async () => keys.length > 0,
  };
  await proveKeyRing(ring, store, { production: true, file });
}
