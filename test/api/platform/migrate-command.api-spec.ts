import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { emptyDatabase, run } from '../../support/backup-commands.js';

const MIGRATE = resolve(import.meta.dirname, '../../../scripts/migrate.mjs');

describe('npm run migrate', () => {
  let database: { url: string; drop: () => Promise<unknown> };
  beforeAll(async () => {
    database = await emptyDatabase();
  });
  afterAll(() => database.drop());

  it('migrates an empty database, and changes nothing in a migrated one', async () => {
    const twice = [];
    for (let time = 0; time < 2; time += 1) {
      const { code, said } = await run(MIGRATE, [], { DATABASE_URL: database.url, NODE_ENV: 'production' });
      expect(said).toBe('The database has all migrations of this version.\n');
      expect(code).toBe(0);
      twice.push(await migrationsOf(database.url));
    }
    expect(twice[0]).toBeGreaterThan(20);
    expect(twice[1]).toBe(twice[0]);
  });

  it.each([
    [78, {}, 'Set DATABASE_URL'],
    [1, { DATABASE_URL: 'postgres://awp:x@127.0.0.1:1/awp' }, 'no PostgreSQL responds at 127.0.0.1:1'],
  ])('ends with %d for the settings %j', async (code, settings, sentence) => {
    expect(await run(MIGRATE, [], settings)).toEqual({ code, said: expect.stringContaining(sentence) });
  });
});

async function migrationsOf(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM migrations');
  await client.end();
  return rows[0]!.count;
}
