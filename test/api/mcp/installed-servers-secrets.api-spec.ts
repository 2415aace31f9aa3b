import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { canary } from '../../support/canary.js';
import { useService } from '../../support/service.js';
import { LocalCatalog } from './local-catalog.js';
import { aServer, pathOf } from './servers.js';

const canaries = { SECRET: canary('a secret'), TOKEN: canary('a token') };
const variables = [
  { name: 'SECRET', isRequired: true, isSecret: true },
  { name: 'TOKEN', isSecret: true },
];
const catalog = new LocalCatalog()
  .stdio('echoing', ['misbehaving.mjs', 'echoes-secrets'], { variables })
  .stdio('mounting', ['misbehaving.mjs', 'polite'], {
    variables: [{ name: 'FOLDER', format: 'filepath', access: 'write' }],
  });
const service = useService({ settings: { CATALOG_DIRS: catalog.folder }, ownProcess: true });
afterAll(() => catalog.remove());

it('a value that was moved to another server or variable cannot be opened', async () => {
  const [mine, other] = await Promise.all(
    [1, 2].map(() => aServer(service.owner, 'echoing', { envValues: { SECRET: canaries.SECRET } })),
  );
  await service.sql(
    `UPDATE server_credentials SET sealed = (SELECT sealed FROM server_credentials WHERE server_id = $1) WHERE server_id = $2`,
    [mine!.id, other!.id],
  );
  const verified = await service.owner.post(`${pathOf(other!)}/verify`);
  expect(verified.body).toMatchObject({
    status: 'error',
    details: expect.stringMatching(/Enter them again/),
  });
  expect((await service.owner.post(`${pathOf(mine!)}/verify`)).body).toMatchObject({ status: 'ok' });
});

it('values survive starts that fail with another key ring, without one, or with one that others can read', async () => {
  const server = await aServer(service.owner, 'echoing', { envValues: canaries });
  const stored = () =>
    service.sql(
      'SELECT to_jsonb(c) FROM server_credentials c UNION ALL SELECT to_jsonb(k) FROM encryption_keys k',
    );
  const before = await stored();
  const file = join(service.dataDir, 'keyring.json');
  const ring = readFileSync(file, 'utf8');
  const mine = /"id": ?"([^"]+)"/.exec(ring)![1]!;
  await service.stop();
  const key = randomBytes(32).toString('base64');
  writeFileSync(file, JSON.stringify({ version: 1, primary: mine, keys: [{ id: mine, key }] }));
  await expect(service.start()).rejects.toThrow(`"code":78`);
  rmSync(file);
  await expect(service.start()).rejects.toThrow(new RegExp(`"code":78[\\s\\S]*'${mine}'`));
  writeFileSync(file, ring);
  chmodSync(file, 0o644);
  await expect(service.start()).rejects.toThrow(/"code":78[\s\S]*chmod 600/);
  chmodSync(file, 0o600);
  await service.start();
  expect(await stored()).toEqual(before);
  expect((await service.owner.post(`${pathOf(server)}/verify`)).body).toMatchObject({ status: 'ok' });
});

it('a path that became a link into the data folder is not mounted', async () => {
  const link = join(catalog.servers, 'linked');
  mkdirSync(link);
  const server = await aServer(service.owner, 'mounting', { envValues: { FOLDER: link } });
  expect((await service.owner.post(`${pathOf(server)}/verify`)).body).toMatchObject({ status: 'ok' });
  rmdirSync(link);
  symlinkSync(service.dataDir, link);
  const verified = await service.owner.post(`${pathOf(server)}/verify`);
  expect(verified.body).toMatchObject({
    status: 'error',
    phase: 'spawn',
    details: expect.stringMatching(/outside the data folder/),
  });
});

it('a credential that was removed leaves nothing that could be opened', async () => {
  const server = await aServer(service.owner, 'echoing', {
    envValues: { SECRET: canaries.SECRET, TOKEN: canaries.TOKEN },
  });
  const sealed = await service.sql<{ sealed: string }>(
    `SELECT sealed FROM server_credentials WHERE server_id = $1`,
    [server.id],
  );
  expect(sealed).toHaveLength(2);
  await service.owner.delete(pathOf(server));
  const rows = await everyRow();
  for (const value of sealed) expect(rows).not.toContain(value.sealed);
});

/** Returns the whole content of the database as text. */
async function everyRow(): Promise<string> {
  const tables = await service.sql<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) => service.sql<{ row: string }>(`SELECT t::text AS row FROM ${name} t`)),
  );
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
}
