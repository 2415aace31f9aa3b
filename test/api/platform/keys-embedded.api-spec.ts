import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { lockDataDir } from '../../../src/platform/embedded-postgres/data-dir-lock-and-process-identity.js';
import { startEmbeddedPostgres } from '../../../src/platform/embedded-postgres/embedded-postgres.js';
import { SealedPlace } from '../../support/key-ring.js';
import { migrated } from '../../support/migrated.js';

let place: SealedPlace;
beforeEach(async () => void (place = await SealedPlace.make()));
afterEach(() => place.remove());

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

  it('makes the key ring before the first start, without making a database', async () => {
    expect(await place.keys(['init'], embedded)).toMatchObject({ code: 0 });
    // No database has a value that could be checked.
    expect(await place.keys(['check'], embedded)).toMatchObject({ code: 78 });
    expect(existsSync(join(place.folder, 'postgres'))).toBe(false);
  });

  it('works on the embedded database while the service runs and while it is stopped', async () => {
    const lock = await lockDataDir(place.folder);
    const running = await start();
    await migrated(running.url);
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

  it('fails with a request to try again while the database of a starting service does not run yet', async () => {
    await (await start()).stop();
    const lock = await lockDataDir(place.folder);
    expect(await place.keys(['check'], embedded)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Try again'),
    });
    await lock.release();
  });
});
