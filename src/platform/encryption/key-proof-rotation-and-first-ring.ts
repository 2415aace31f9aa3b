import { rm } from 'node:fs/promises';
import { createKeyRingFile, loadKeyRing, settingOf } from './key-ring-sources.js';
import { type KeyRing, KeyRingError, newKeyRing, ringOf, SealBroken } from './key-ring.js';

/** Stores the check values, one for each key id that this database has ever been used with. */
export interface KeyCheckStore {
  checks(): Promise<{ id: string; checkValue: string }[]>;
  /** Adds a value unless there is one: of two processes that add the same id at once, one reads the other's. */
  add(id: string, checkValue: string): Promise<void>;
  /** Returns whether this database holds any sealed value. */
  hasCiphertext(): Promise<boolean>;
}

/** The injection token of the one `KeyCheckStore`. */
export const KEY_CHECK_STORE = Symbol('KEY_CHECK_STORE');

export interface ProofOptions {
  /** In production a missing key ring is never made: the operator makes it, and a copy of it. */
  production: boolean;
  /** The setting ENCRYPTION_KEYRING_FILE, where a first key ring is made. */
  file: string;
}

/** The text that is sealed as a check value. Its content does not matter, only that it opens. */
const CHECK = 'agent-work-platform';

/**
 * Proves, before anything is sealed or opened, that `ring` (null where there is none) is the key ring that this database
 * was sealed with. So a wrong key is noticed at start, not by the first credential that does not open. A key that is
 * new here gets its check value, and a key ring is made where nothing was ever sealed.
 * @returns the proved key ring
 * @throws {KeyRingError} when the key ring lacks a key, holds another key under the same id, or is missing
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
    throw new KeyRingError(
      `This database is sealed with key '${id}', which the key ring lacks: restore it from your backup of the key ring (ENCRYPTION_KEYRING_FILE or ENCRYPTION_KEYS).`,
    );
  try {
    ring.open(checkValue, checkContext(id));
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new KeyRingError(
      `Key '${id}' of the key ring is not the key '${id}' that this database is sealed with: restore the key ring that belongs to this database (ENCRYPTION_KEYRING_FILE or ENCRYPTION_KEYS).`,
    );
  }
}

async function refuseToMakeRing(store: KeyCheckStore, { production, file }: ProofOptions): Promise<void> {
  const missing = `There is no key ring at ${settingOf(file)}`;
  if (await store.hasCiphertext())
    throw new KeyRingError(
      `${missing}, but this database holds values sealed with key ${await idsInUse(store)}: restore the key ring from your backup.`,
    );
  if ((await store.checks()).length > 0)
    throw new KeyRingError(
      `${missing}, but this database was used with key ${await idsInUse(store)}: restore the key ring from your backup, or make a new one with \`npm run keys -- init\`, since nothing is sealed yet.`,
    );
  if (production)
    throw new KeyRingError(
      `${missing}, and in production none is made automatically: run \`npm run keys -- init\` and keep a copy of the file apart from the database's backups.`,
    );
}

async function idsInUse(store: KeyCheckStore): Promise<string> {
  const checks = await store.checks();
  return checks.map(({ id }) => `'${id}'`).join(', ') || '(unknown)';
}

/**
 * Another process may start at the same moment. On the same folder one of the two makes the file; on different folders
 * the check value of one wins and the other refuses its start.
 */
async function proveFirstRing(store: KeyCheckStore, file: string): Promise<KeyRing> {
  const document = newKeyRing('k1');
  const made = await createKeyRingFile(file, document);
  try {
    const ring = made ? ringOf(document) : loadKeyRing({ file, keys: null });
    if (!ring) throw new KeyRingError(`${settingOf(file)} was removed during the start: start again.`);
    return await prove(ring, store);
  } catch (error) {
    if (made && error instanceof KeyRingError) await rm(file);
    throw error;
  }
}

function checkContext(id: string): string {
  return `key_check|${id}`;
}

/** Runs one statement and returns its rows; `parameters` fill `$1…`. */
export type RowsOf = <Row>(sql: string, parameters?: unknown[]) => Promise<Row[]>;

/**
 * Stores the check values in the table `encryption_keys`. The sealed values lie in tables of other modules, so the caller
 * passes in whether there are any.
 */
export function keyChecksIn(rowsOf: RowsOf, hasCiphertext: () => Promise<boolean>): KeyCheckStore {
  return {
    hasCiphertext,
    checks: () => rowsOf('SELECT id, check_value AS "checkValue" FROM encryption_keys ORDER BY id'),
    add: async (id, checkValue) => {
      const sql = 'INSERT INTO encryption_keys (id, check_value) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING';
      await rowsOf(sql, [id, checkValue]);
    },
  };
}

/** The sealed values of a database, each with whatever identifies its row. */
export interface SealedValueStore<Value extends { sealed: string }> {
  /** Runs `work` in one transaction, which an error rolls back. */
  transaction<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Blocks writers of sealed values until the transaction ends; readers go on. */
  holdWriters(): Promise<void>;
  values(): Promise<Value[]>;
  replace(values: Value[]): Promise<void>;
}

/** How a value is bound to its row (contract §3.3), and how a message names it. */
export interface ValueNaming<Value> {
  contextOf(value: Value): string;
  nameOf(value: Value): string;
}

/**
 * Seals every value of a database again with the primary key of the ring, and returns how many there are. Rotating a
 * key takes three commands: `npm run keys -- add` puts a new primary key into the ring, `rotate` calls this function,
 * and `retire` removes the old key once it seals nothing.
 *
 * It changes all values or none. A service may run meanwhile: it opens values of either key, because the old key stays
 * in the ring.
 * @throws {Error} that names the value, when one does not open
 */
export function resealAll<Value extends { sealed: string }>(
  store: SealedValueStore<Value>,
  ring: KeyRing,
  naming: ValueNaming<Value>,
): Promise<number> {
  return store.transaction(async () => {
    await store.holdWriters();
    const values = await store.values();
    await store.replace(values.map((value) => ({ ...value, sealed: reseal(value, ring, naming) })));
    return values.length;
  });
}

function reseal<Value extends { sealed: string }>(
  value: Value,
  ring: KeyRing,
  { contextOf, nameOf }: ValueNaming<Value>,
): string {
  const context = contextOf(value);
  try {
    return ring.seal(ring.open(value.sealed, context), context);
  } catch (error) {
    throw new Error(
      `Nothing was changed, because ${nameOf(value)} does not open: set that value again, then rotate.`,
      { cause: error },
    );
  }
}
