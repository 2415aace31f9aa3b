import { KeyRingError } from '../../dist/src/platform/encryption/key-ring.js';
import { loadKeyRing } from '../../dist/src/platform/encryption/key-ring-sources.js';
import { proveKeyRing } from '../../dist/src/platform/encryption/key-proof-rotation-and-first-ring.js';
import { askSealed, isMade } from './asked-database.mjs';
import { contextOf, nameOf } from '../keys/sealed-database.mjs';
import { note, ok, problem } from './verdict.mjs';

const FIX = 'restore the key ring from your copy of it';

/** Proves the key ring as a start does, but writes neither a key ring nor a check value, and opens every sealed value. */
export async function checkKeyRing(settings) {
  const { encryptionKeyringFile: file, encryptionKeys: keys } = settings;
  try {
    const ring = loadKeyRing({ file, keys });
    const store = await checksIn(settings);
    if (store === null) return note('the database cannot be queried', 'fix the database first');
    if (!ring && !settings.production && store.isUnused) return ok('created by the first start');
    await proveKeyRing(ring, store, { production: true, file });
    const place = keys === null ? file : 'ENCRYPTION_KEYS';
    return refuseUnopened(ring, store.values) ?? ok(`${place}, seals with '${ring.primary}'`);
  } catch (error) {
    if (error instanceof KeyRingError) return problem(...halves(error.message));
    throw error;
  }
}

/** A value may be damaged, or was written by a service with another key ring. */
function refuseUnopened(ring, values) {
  const lost = values.filter((value) => !opens(ring, value));
  if (lost.length === 0) return null;
  return problem(
    `${lost.length} of ${values.length} sealed values do not open, such as ${nameOf(lost[0])}`,
    'enter these secrets again, or restore the backup from before; `npm run keys -- check` lists them',
  );
}

function opens(ring, value) {
  try {
    ring.open(value.sealed, contextOf(value));
    return true;
  } catch {
    return false;
  }
}

/** Returns what is wrong, and what to do: these messages have a colon between. */
function halves(message) {
  const [, says, fix] = /^(.*?): (.*?)\.?$/s.exec(message) ?? [null, message, FIX];
  return [says, fix];
}

/** Returns what the database knows of keys, or null when it cannot be queried. */
async function checksIn(settings) {
  try {
    return (await isMade(settings)) ? await askSealed(settings, readChecks) : readChecks(null);
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
    values: (await database?.values()) ?? [],
  };
}
