import { mkdirSync, rmdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { asAgent } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { formsOf } from './canary-forms.js';
import { LocalCatalog } from './local-catalog.js';
import { aServer, grant, pathOf, processesNaming, type Installed } from './servers.js';

/** One canary a variable: none of them may be found anywhere but in the server itself. */
const canaries = {
  SECRET: 'canary-SECRET-4f1c9a',
  TOKEN: 'canary-TOKEN-77aa01',
  PLAIN: 'canary-PLAIN-52bb08',
  FILE: 'canary-FILE-line-one\ncanary-FILE-line-two',
};
const changed = { SECRET: 'canary-CHANGED-c0ffee' };

const variables = [
  { name: 'SECRET', isRequired: true, isSecret: true },
  { name: 'TOKEN', isSecret: true },
  { name: 'PLAIN' },
  { name: 'FILE', isSecret: true, format: 'file' },
  { name: 'COUNT', format: 'number' },
];
const catalog = new LocalCatalog()
  .stdio('echoing', ['misbehaving.mjs', 'echoes-secrets'], { variables })
  .stdio('failing', ['no-such-file.mjs'], { variables })
  .stdio('mounting', ['misbehaving.mjs', 'polite'], {
    variables: [{ name: 'FOLDER', format: 'filepath', access: 'write' }],
  })
  .http('remote', 'http://127.0.0.1:9/mcp', {
    headers: { Authorization: 'Bearer {env:SECRET}', 'X-Token': '{env:TOKEN}' },
    variables: variables.slice(0, 3),
  });
const service = useService({ settings: { CATALOG_DIRS: catalog.folder, LOG_LEVEL: 'debug' } });
afterAll(() => catalog.remove());

const forms = [...Object.values(canaries), ...Object.values(changed)]
  .flatMap((value) => value.split('\n'))
  .flatMap(formsOf);
const found = (text: string) => forms.filter((form) => text.includes(form));

it('a value of a variable is found in no answer, log, row or argument', async () => {
  const told: string[] = [];
  const argumentsSeen: string[] = [];
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await service.owner.request(method, path, { body });
    told.push(answer.text, JSON.stringify(answer.headers));
    argumentsSeen.push(...processesNaming(''));
    return answer;
  };
  const agent = await asAgent(service);
  for (const catalogId of ['echoing', 'failing', 'remote']) {
    const { FILE, ...others } = canaries;
    const envValues = catalogId === 'remote' ? others : { ...others, FILE };
    const server = (await call('POST', '/api/mcp/installed', { catalogId, envValues }))
      .body as unknown as Installed;
    await grant(service.owner, server, agent);
    await call('POST', '/api/mcp/installed', {
      catalogId,
      envValues: { ...envValues, COUNT: canaries.SECRET, NOPE: canaries.TOKEN },
    });
    await call('POST', '/api/mcp/installed', { catalogId, envValues, name: server.name });
    for (const tool of ['result', 'error', 'progress'])
      await call('POST', `${pathOf(server)}/tools/${tool}/call`, { arguments: {} });
    await call('POST', `${pathOf(server)}/verify`);
    await call('PUT', pathOf(server), { envValues: changed });
    await call('PUT', pathOf(server), { envValues: { TOKEN: canaries.TOKEN, COUNT: canaries.PLAIN } });
    for (const tool of ['result', 'error'])
      await call('POST', `${pathOf(server)}/tools/${tool}/call`, { arguments: {} });
    await call('POST', `${pathOf(server)}/upgrade?dryRun=true`);
    for (const path of ['', '/tools', '/logs', '/access']) await call('GET', pathOf(server) + path);
    await call('GET', '/api/mcp/installed');
    await call('GET', `/api/agents/${agent.id}/tools`);
  }
  expect(told.join('\n')).toContain('[secret]');
  expect(found(told.join('\n'))).toEqual([]);
  expect(found(argumentsSeen.join('\n'))).toEqual([]);
  expect(found(service.log)).toEqual([]);
  expect(found(await everyRow())).toEqual([]);
});

it('a value is sealed for its server and its variable: moved to another row it does not open', async () => {
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

it('a path that has become a link into the data folder is not mounted', async () => {
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

it('a credential that was wiped leaves nothing that could be opened', async () => {
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

/** Everything that the database holds, as text. */
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
