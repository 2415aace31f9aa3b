import { expect, it } from '@jest/globals';
import { Client } from 'pg';
import { useService } from '../../support/service.js';

const service = useService();
const logOfStart = async () => (await service.second()).log;

it('a database that a later release has migrated is a warning at the start, with both schemas', async () => {
  expect(await logOfStart()).not.toContain('A later release');
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM migrations ORDER BY timestamp DESC LIMIT 1',
  );
  await client.query('INSERT INTO migrations (timestamp, name) VALUES ($1, $2)', [
    4_102_444_800_000,
    'Later4102444800000',
  ]);
  await client.end();
  const line = (await logOfStart()).split('\n').find((text) => text.includes('A later release'));
  expect(JSON.parse(line!)).toMatchObject({
    level: 'warn',
    context: 'Migrations',
    msg: expect.stringMatching(
      new RegExp(`its schema is Later4102444800000, and version [\\d.]+ knows ${rows[0]!.name}\\. Only`),
    ),
  });
});
