import { KeyRingFault } from '../../dist/src/platform/encryption/key-ring.errors.js';
import { loadKeyRing } from '../../dist/src/platform/encryption/key-ring.file.js';
import { proveKeyRing } from '../../dist/src/platform/encryption/key-proof.js';
import { withDatabase } from '../keys/database.mjs';
import { isMade } from './database.mjs';
import { fault, note, ok } from './verdict.mjs';

const MEND = 'npm run keys -- check tells more; a ring that is lost comes back from its backup alone';

/** As at a start, but nothing is written: neither a ring nor a check value. */
export async function checkKeyRing(settings) {
  const { encryptionKeyringFile: file, encryptionKeys: keys } = settings;
  try {
    const ring = loadKeyRing({ file, keys });
    const store = await checksIn(settings);
    if (store === null) return note('its database can’t be asked', 'mend the database first');
    if (!ring && !settings.production && store.isUnused) return ok('made at the first start');
    await proveKeyRing(ring, store, { production: true, file });
    return ok(`${keys === null ? file : 'ENCRYPTION_KEYS'}, seals with '${ring.primary}'`);
  } catch (error) {
    if (error instanceof KeyRingFault) return fault(error.message, MEND);
    throw error;
  }
}

/** What the database knows of keys; null where it can't be asked. */
async function checksIn(settings) {
  try {
    return (await isMade(settings)) ? await withDatabase(settings, readChecks) : readChecks(null);
  } catch {
    return null;
  }
}

async function readChecks(database) {
  const known = (await database?.checks.checks()) ?? [];
  const sealed = (await database?.checks.hasCiphertext()) ?? false;
  return {
    checks: async () => known,
    add: async () => undefined,
    hasCiphertext: async () => sealed,
    isUnused: known.length === 0 && !sealed,
  };
}
