import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { lockDataDir } from '../../../src/platform/database/embedded/data-dir-lock.js';
import { startEmbeddedPostgres } from '../../../src/platform/database/embedded/embedded-postgres.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { newKeyRing, ringOf } from '../../../src/platform/encryption/key-ring.document.js';
import { SealedPlace } from '../../support/key-ring.js';

let place: SealedPlace;
beforeEach(async () => void (place = await SealedPlace.make()));
afterEach(() => place.remove());

const filled = async (count: number) => {
  expect(await place.keys(['init'])).toMatchObject({ code: 0 });
  await place.seal(place.ring(), count);
};

describe('npm run keys -- init', () => {
  it('makes a ring that a start in production takes', async () => {
    expect(await place.keys(['init'], { NODE_ENV: 'production' })).toMatchObject({ code: 0 });
    expect(place.ring().ids).toEqual(['k1']);
    expect(await place.keys(['check'], { NODE_ENV: 'production' })).toMatchObject({ code: 0 });
  });

  it('refuses where a ring is there, and leaves it', async () => {
    await place.keys(['init']);
    const before = place.ring();
    expect(await place.keys(['init'])).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('already'),
    });
    expect(place.ring().contains(before)).toBe(true);
  });

  it('refuses where anything is sealed, and makes no file', async () => {
    await filled(1);
    await rm(place.file);
    expect(await place.keys(['init'])).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('sealed values'),
    });
    expect(existsSync(place.file)).toBe(false);
  });

  it('makes a new ring after one was lost that had sealed nothing, with an id that is new', async () => {
    await place.keys(['init']);
    await place.keys(['check']);
    await rm(place.file);
    expect(await place.keys(['init'])).toMatchObject({ code: 0 });
    expect(place.ring().ids).toEqual(['k2']);
    expect(await place.keys(['check'])).toMatchObject({ code: 0 });
  });
});

describe('npm run keys -- add, rotate, check', () => {
  it('seals all values anew with the added key; the old key stays in the ring', async () => {
    await filled(5);
    expect(await place.keys(['add'])).toMatchObject({ code: 0 });
    expect(await place.keyIdsInUse()).toEqual(['k1']);
    expect(await place.keys(['rotate'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('5 values'),
    });
    expect(await place.keyIdsInUse()).toEqual(['k2']);
    expect(place.ring().ids).toEqual(['k1', 'k2']);
    expect(await place.broken(place.ring())).toEqual([]);
  });

  it('adds a key that only opens until rotate names it', async () => {
    await filled(2);
    await place.keys(['add', '--not-primary']);
    expect(place.ring().primary).toBe('k1');
    expect(await place.keys(['rotate', 'k2'])).toMatchObject({ code: 0 });
    expect(place.ring().primary).toBe('k2');
    expect(await place.keyIdsInUse()).toEqual(['k2']);
  });

  it('counts the values and the keys that seal them', async () => {
    await filled(3);
    await place.keys(['add']);
    await place.seal(place.ring(), 2);
    const { code, stdout } = await place.keys(['check']);
    expect(stdout).toContain('5 values: 5 open, 0 do not.');
    expect(stdout).toContain('k1: 3');
    expect(stdout).toContain('k2 (primary): 2');
    expect(code).toBe(0);
  });

  it('changes nothing when a value does not open, and names it', async () => {
    await filled(3);
    await place.client.query(`UPDATE server_credentials SET sealed = 'damaged' WHERE name = 'NAME_1'`);
    await place.keys(['add']);
    expect(await place.keys(['check'])).toMatchObject({ code: 1, stderr: expect.stringContaining('NAME_1') });
    expect(await place.keys(['rotate'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('NAME_1'),
    });
    expect(await place.keyIdsInUse()).toEqual(['k1', 'none']);
  });

  it('refuses a ring that is not the one of this database', async () => {
    await filled(1);
    await place.keys(['check']);
    const [key] = newKeyRing('k1').keys;
    const other = { ENCRYPTION_KEYS: `k1:${key!.key}` };
    for (const command of ['rotate', 'check'])
      expect(await place.keys([command], other)).toMatchObject({
        code: 78,
        stderr: expect.stringContaining("'k1'"),
      });
  });

  it('rotates a ring of ENCRYPTION_KEYS, and leaves adding to whoever set it', async () => {
    const [k1, k2] = [newKeyRing('k1'), newKeyRing('k2')];
    await place.seal(ringOf(k1), 2);
    const both = { ENCRYPTION_KEYS: `k2:${k2.keys[0]!.key},k1:${k1.keys[0]!.key}` };
    expect(await place.keys(['add'], both)).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('ENCRYPTION_KEYS'),
    });
    expect(await place.keys(['rotate'], both)).toMatchObject({ code: 0 });
    expect(await place.broken(ringOf(k2))).toEqual([]);
  });

  it('gives each of two that add at once a key of its own', async () => {
    await filled(1);
    const ends = await Promise.all([place.keys(['add']), place.keys(['add'])]);
    expect(ends).toMatchObject([{ code: 0 }, { code: 0 }]);
    expect(place.ring().ids).toEqual(['k1', 'k2', 'k3']);
  });

  it('tells how it is used when the command is none of its own', async () => {
    for (const options of [[], ['rotat'], ['toString'], ['check', 'all']])
      expect(await place.keys(options)).toMatchObject({
        code: 64,
        stderr: expect.stringContaining('npm run keys'),
      });
  });
});

describe('npm run keys without DATABASE_URL', () => {
  const embedded = { DATABASE_URL: '' };
  const start = () =>
    startEmbeddedPostgres({ dataDir: place.folder, log: () => undefined, onExit: () => undefined });
  const checkedIds = async (url: string) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ id: string }>('SELECT id FROM encryption_keys ORDER BY id');
    await client.end();
    return rows.map(({ id }) => id);
  };

  it('makes the ring before the first start, without making a database', async () => {
    expect(await place.keys(['init'], embedded)).toMatchObject({ code: 0 });
    expect(await place.keys(['check'], embedded)).toMatchObject({ code: 0 });
    expect(existsSync(join(place.folder, 'postgres'))).toBe(false);
  });

  it('works on the embedded database while the service runs, and while it is stopped', async () => {
    const lock = await lockDataDir(place.folder);
    const running = await start();
    await migrate(running.url);
    expect(await place.keys(['init'], embedded)).toMatchObject({ code: 0 });
    expect(await place.keys(['check'], embedded)).toMatchObject({ code: 0 });
    expect(await checkedIds(running.url)).toEqual(['k1']);
    await running.stop();
    await lock.release();

    expect(await place.keys(['add'], embedded)).toMatchObject({ code: 0 });
    const again = await start();
    expect(again.adopted).toBe(false);
    expect(await checkedIds(again.url)).toEqual(['k1', 'k2']);
    await again.stop();
  });

  it('asks to try again when the service holds the folder and its database does not run yet', async () => {
    const lock = await lockDataDir(place.folder);
    expect(await place.keys(['check'], embedded)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('try again'),
    });
    await lock.release();
  });
});
