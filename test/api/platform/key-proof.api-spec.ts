import { existsSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Encryption } from '../../../src/platform/encryption/encryption.service.js';
import {
  type KeyCheckStore,
  proveKeyRing,
} from '../../../src/platform/encryption/key-proof-rotation-and-first-ring.js';
import { replaceKeyRingFile } from '../../../src/platform/encryption/key-ring-sources.js';
import {
  type KeyRing,
  KeyRingError,
  newKeyRing,
  ringOf,
  SealBroken,
  withNewKey,
} from '../../../src/platform/encryption/key-ring.js';
import { contextOf, SealedPlace } from '../../support/key-ring.js';

let place: SealedPlace;
beforeEach(async () => void (place = await SealedPlace.make()));
afterEach(() => place.remove());

const prove = (ring: KeyRing | null, { production = false, file = place.file } = {}) =>
  proveKeyRing(ring, place.store, { production, file });
const checkIds = async () => (await place.store.checks()).map(({ id }) => id);

describe('a start with a key ring', () => {
  it('writes a check value for each new key, and proves the key with it from then on', async () => {
    const document = newKeyRing('k1');
    await prove(ringOf(document));
    expect(await checkIds()).toEqual(['k1']);
    const longer = ringOf(withNewKey(document, 'k2', true));
    expect(await prove(longer)).toBe(longer);
    expect(await checkIds()).toEqual(['k1', 'k2']);
  });

  it('fails with a wrong key under a known id, which the error names', async () => {
    await prove(ringOf(newKeyRing('k1')));
    await expect(prove(ringOf(newKeyRing('k1')))).rejects.toThrow(KeyRingError);
    await expect(prove(ringOf(newKeyRing('k1')))).rejects.toThrow(/Key 'k1'.*restore/);
  });

  it('fails without a key that the database was sealed with, and writes no check value', async () => {
    await prove(ringOf(newKeyRing('k1')));
    await expect(prove(ringOf(newKeyRing('k2')))).rejects.toThrow(/'k1'.*lacks/);
    expect(await checkIds()).toEqual(['k1']);
  });

  it('fails when another process writes its check value first at the same moment', async () => {
    const others = ringOf(newKeyRing('k1'));
    const overtaken: KeyCheckStore = {
      ...place.store,
      add: async (id, checkValue) => {
        await prove(others);
        await place.store.add(id, checkValue);
      },
    };
    const options = { production: false, file: place.file };
    await expect(proveKeyRing(ringOf(newKeyRing('k1')), overtaken, options)).rejects.toThrow(KeyRingError);
    expect(await prove(others)).toBe(others);
  });

  it('fails when a check value was moved to another key id', async () => {
    const ring = ringOf(withNewKey(newKeyRing('k1'), 'k2', true));
    await prove(ring);
    await place.client.query(
      `UPDATE encryption_keys SET check_value = (SELECT check_value FROM encryption_keys WHERE id = 'k1')`,
    );
    await expect(prove(ring)).rejects.toThrow(/Key 'k2'/);
  });
});

describe('a start without a key ring', () => {
  it('makes one with mode 0600 when nothing was ever sealed', async () => {
    const ring = await prove(null);
    expect((await stat(place.file)).mode & 0o777).toBe(0o600);
    expect(place.ring().contains(ring)).toBe(true);
    expect(await checkIds()).toEqual(ring.ids);
  });

  it('makes one key ring when several processes start at once on one folder', async () => {
    const [first, ...others] = await Promise.all([prove(null), prove(null), prove(null)]);
    for (const ring of others) expect(ring.contains(first)).toBe(true);
  });

  it('lets one process win when two start at once on two folders, and leaves no key ring in the other', async () => {
    const files = [place.file, join(place.folder, 'other.json')];
    const ends = await Promise.allSettled(files.map((file) => prove(null, { file })));
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(files.map((file) => existsSync(file))).toEqual(ends.map(({ status }) => status === 'fulfilled'));
  });

  it('fails over sealed values, and names the key', async () => {
    const ring = ringOf(newKeyRing('k1'));
    await prove(ring);
    await place.seal(ring, 1);
    await expect(prove(null)).rejects.toThrow(/'k1'.*backup/);
    await place.client.query('DELETE FROM encryption_keys');
    await expect(prove(null)).rejects.toThrow(KeyRingError);
    expect(existsSync(place.file)).toBe(false);
  });

  it('fails when check values show a lost key ring, and names init because nothing is sealed', async () => {
    await prove(ringOf(newKeyRing('k1')));
    await expect(prove(null)).rejects.toThrow(/'k1'.*npm run keys -- init/);
    expect(existsSync(place.file)).toBe(false);
  });

  it('fails in production, and says how to make one', async () => {
    await expect(prove(null, { production: true })).rejects.toThrow(/npm run keys -- init/);
    expect(existsSync(place.file)).toBe(false);
  });
});

describe('Encryption', () => {
  const encryption = () => new Encryption({ file: place.file, keys: null, production: false });

  it('neither seals nor opens a value before it is unlocked', async () => {
    const locked = encryption();
    const sealed = (await prove(null)).seal('the value', 'here');
    expect(locked.unlocked).toBe(false);
    expect(() => locked.seal('the value', 'here')).toThrow(/unlocked/);
    expect(() => locked.open(sealed, 'here')).toThrow(/unlocked/);
  });

  it('stays locked with a wrong key ring', async () => {
    await prove(ringOf(newKeyRing('k1')));
    const locked = encryption();
    await expect(locked.unlock(place.store)).rejects.toThrow(KeyRingError);
    expect(locked.unlocked).toBe(false);
  });

  it('does not open a value that was swapped with that of another row', async () => {
    const service = encryption();
    await service.unlock(place.store);
    await place.seal(place.ring(), 2);
    await place.client.query(
      `UPDATE server_credentials AS one SET sealed = other.sealed
       FROM server_credentials AS other WHERE one.name <> other.name`,
    );
    for (const value of await place.values())
      expect(() => service.open(value.sealed, contextOf(value))).toThrow(SealBroken);
  });

  it('opens values of a key that was added to the file while it runs, and seals with that key from then on', async () => {
    const service = encryption();
    await service.unlock(place.store);
    expect((await place.keys(['add'])).code).toBe(0);
    expect(service.seal('old', 'here')).toMatch(/^v1\.k1\./);
    expect(service.open(place.ring().seal('new', 'here'), 'here')).toBe('new');
    expect(service.seal('newer', 'here')).toMatch(/^v1\.k2\./);
  });

  it('ignores a changed file that lacks a proved key', async () => {
    const service = encryption();
    await service.unlock(place.store);
    const sealed = service.seal('the value', 'here');
    const foreign = withNewKey(newKeyRing('k1'), 'k2', true);
    await replaceKeyRingFile(place.file, foreign);
    expect(() => service.open(ringOf(foreign).seal('the value', 'here'), 'here')).toThrow(SealBroken);
    await writeFile(place.file, 'half');
    expect(() => service.open(ringOf(foreign).seal('the value', 'here'), 'here')).toThrow(SealBroken);
    expect(service.open(sealed, 'here')).toBe('the value');
  });
});
