import type { KeyRing } from './key-ring.js';

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
