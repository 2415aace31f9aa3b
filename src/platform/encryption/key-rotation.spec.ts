import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { KeyRing, readSealedValue } from './key-ring.js';
import { resealAll, type SealedValueStore } from './key-proof-rotation-and-first-ring.js';

interface Value {
  name: string;
  sealed: string;
}

const keys = ['k1', 'k2'].map((id) => ({ id, key: randomBytes(32) }));
const oldRing = new KeyRing(keys, 'k1');
const newRing = new KeyRing(keys, 'k2');
const naming = { contextOf: ({ name }: Value) => name, nameOf: ({ name }: Value) => name };

function aStore(values: Value[]): SealedValueStore<Value> & { current: Value[] } {
  return {
    current: values,
    transaction: (work) => work(),
    holdWriters: async () => undefined,
    async values() {
      return this.current;
    },
    async replace(replaced) {
      this.current = replaced;
    },
  };
}

const values = ['A', 'B'].map((name) => ({ name, sealed: oldRing.seal(`value of ${name}`, name) }));

describe('the rotation of the key ring', () => {
  it('seals every value again with the primary key and in its own context', async () => {
    const store = aStore(values);
    expect(await resealAll(store, newRing, naming)).toBe(2);
    expect(store.current.map(({ sealed }) => readSealedValue(sealed).keyId)).toEqual(['k2', 'k2']);
    expect(store.current.map(({ name, sealed }) => newRing.open(sealed, name))).toEqual([
      'value of A',
      'value of B',
    ]);
  });

  it('changes nothing when one value does not open, and names that value', async () => {
    const store = aStore([...values, { name: 'C', sealed: values[0]!.sealed }]);
    await expect(resealAll(store, newRing, naming)).rejects.toThrow('because C does not open');
    expect(store.current.slice(0, 2)).toEqual(values);
  });
});
