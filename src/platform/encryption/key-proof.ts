import { rm } from 'node:fs/promises';
import { newKeyRing, ringOf } from './key-ring.document.js';
import { KeyRingFault, SealBroken } from './key-ring.errors.js';
import { loadKeyRing, settingOf } from './key-ring.file.js';
import type { KeyRing } from './key-ring.js';
import { createKeyRingFile } from './key-ring.writer.js';

/** Where the check values are kept: one for each key id that this database has ever been used with. */
export interface KeyCheckStore {
  checks(): Promise<{ id: string; checkValue: string }[]>;
  /** Keeps the value that is there: of two processes that add one id at once, one finds the other's. */
  add(id: string, checkValue: string): Promise<void>;
  /** Whether anything is sealed in this database. */
  hasCiphertext(): Promise<boolean>;
}

/** Injection token of the one `KeyCheckStore`. */
export const KEY_CHECK_STORE = Symbol('KEY_CHECK_STORE');

export interface ProofOptions {
  /** In production a missing ring is never made: the operator makes it, and a copy of it. */
  production: boolean;
  /** The setting ENCRYPTION_KEYRING_FILE: where a first ring is made. */
  file: string;
}

/** What is sealed as a check value; only that it opens matters. */
const CHECK = 'agent-work-platform';

/**
 * Proves before anything is sealed or opened that `ring` (null: there is none) is the one this database was
 * sealed with, so that a wrong key is noticed at start and not by the first credential that does not open.
 * Keys that are new here get their check value; a ring is made where nothing was ever sealed.
 * @returns the ring that is proved
 * @throws {KeyRingFault}
 */
export async function proveKeyRing(
  ring: KeyRing | null,
  store: KeyCheckStore,
  options: ProofOptions,
): Promise<KeyRing> {
  if (ring) return prove(ring, store);
  await refuseToMakeRing(store, options);
  return proveFirstRing(store, options.file);
}

async function prove(ring: KeyRing, store: KeyCheckStore): Promise<KeyRing> {
  const known = await provedIds(ring, store);
  const fresh = ring.ids.filter((id) => !known.has(id));
  for (const id of fresh) await store.add(id, ring.seal(CHECK, checkContext(id), id));
  if (fresh.length > 0) await provedIds(ring, store);
  return ring;
}

async function provedIds(ring: KeyRing, store: KeyCheckStore): Promise<Set<string>> {
  const checks = await store.checks();
  for (const { id, checkValue } of checks) refuseUnlessProved(ring, id, checkValue);
  return new Set(checks.map(({ id }) => id));
}

function refuseUnlessProved(ring: KeyRing, id: string, checkValue: string): void {
  if (!ring.ids.includes(id))
    throw new KeyRingFault(
      `This database is sealed with key '${id}', which the key ring lacks: put it back from your backup of the ring (ENCRYPTION_KEYRING_FILE or ENCRYPTION_KEYS).`,
    );
  try {
    ring.open(checkValue, checkContext(id));
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new KeyRingFault(
      `Key '${id}' of the key ring is not the key '${id}' that this database is sealed with: put back the ring that belongs to this database (ENCRYPTION_KEYRING_FILE or ENCRYPTION_KEYS).`,
    );
  }
}

async function refuseToMakeRing(store: KeyCheckStore, { production, file }: ProofOptions): Promise<void> {
  const missing = `There is no key ring at ${settingOf(file)}`;
  if (await store.hasCiphertext())
    throw new KeyRingFault(
      `${missing}, but this database holds values sealed with key ${await idsInUse(store)}: put the ring back from your backup.`,
    );
  if ((await store.checks()).length > 0)
    throw new KeyRingFault(
      `${missing}, but this database was used with key ${await idsInUse(store)}: put the ring back from your backup, or make a new one with \`npm run keys -- init\`, since nothing is sealed yet.`,
    );
  if (production)
    throw new KeyRingFault(
      `${missing}, and in production none is made by itself: run \`npm run keys -- init\` and keep a copy of the file apart from the database's backups.`,
    );
}

async function idsInUse(store: KeyCheckStore): Promise<string> {
  const checks = await store.checks();
  return checks.map(({ id }) => `'${id}'`).join(', ') || '(unknown)';
}

/** Another process may start at the same moment: on this folder it made the file, on another its check value won. */
async function proveFirstRing(store: KeyCheckStore, file: string): Promise<KeyRing> {
  const document = newKeyRing('k1');
  const made = await createKeyRingFile(file, document);
  try {
    const ring = made ? ringOf(document) : loadKeyRing({ file, keys: null });
    if (!ring) throw new KeyRingFault(`${settingOf(file)} was removed during the start: start again.`);
    return await prove(ring, store);
  } catch (error) {
    if (made && error instanceof KeyRingFault) await rm(file);
    throw error;
  }
}

function checkContext(id: string): string {
  return `key_check|${id}`;
}
