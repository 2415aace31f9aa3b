import { afterAll, describe, expect, it } from '@jest/globals';
import { canary } from '../../support/canary.js';
import { asAgent } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog, type Variable } from './local-catalog.js';
import {
  aServer,
  aVerifiedServer,
  grant,
  pathOf,
  processesNaming,
  toolStates,
  tryOut,
  type Installed,
} from './servers.js';

const catalog = new LocalCatalog();
const file = (name: string, tools: string[]) =>
  catalog.toolsFile(
    name,
    tools.map((tool) => ({
      name: tool.replace('!', ''),
      description: tool,
      inputSchema: { type: 'object' },
    })),
  );
const toolsFile = (name: string, tools: string[]) => ({
  name: 'TOOLS_FILE',
  format: 'filepath',
  isRequired: true,
  default: file(name, tools),
});

/** Adds version 1 of each entry, which the tests install first. */
function versionOne(id: string): void {
  catalog.stdio(id, ['tools-from-file.mjs'], {
    variables: [toolsFile(`${id}-1`, ['echo', 'sum', 'gone']), { name: 'OLD', isSecret: true }],
  });
}

/** Changes an entry of the catalogue, which takes effect with the next reload. */
async function release(
  id: string,
  { script = 'tools-from-file.mjs', tools = ['echo', 'sum!', 'fresh'], variables = [] as Variable[] } = {},
): Promise<void> {
  catalog.stdio(id, [script], { version: '2.0.0', variables: [toolsFile(`${id}-2`, tools), ...variables] });
  expect((await service.owner.post('/api/mcp/catalog/reload')).status).toBe(200);
}

const ids = ['dry', 'real', 'asking', 'broken', 'running', 'same', 'dropped', 'fresh-install', 'meanwhile'];
ids.forEach(versionOne);
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(() => catalog.remove());

interface Upgraded extends Installed {
  upgrade: {
    applied: boolean;
    missingVariables: string[];
    verification: { status: string } | null;
    tools: object[];
  } & Record<string, unknown>;
}
const upgrade = (server: { id: string }, query = '') =>
  service.owner.post<Upgraded>(`${pathOf(server)}/upgrade${query}`);
const seen = async (server: { id: string }) => (await service.owner.get<Installed>(pathOf(server))).body;
const states = [
  { name: 'echo', state: 'approved' },
  { name: 'fresh', state: 'new' },
  { name: 'gone', state: 'removed' },
  { name: 'sum', state: 'changed' },
];

describe('an upgrade of a server', () => {
  it('reports all its effects in a dry run and changes nothing', async () => {
    const server = await aVerifiedServer(service.owner, 'dry', {
      envValues: { OLD: canary('an old value') },
    });
    await release('dry');
    const before = await seen(server);
    expect(before).toMatchObject({ catalogVersion: '1.0.0', updateAvailable: true });
    const { status, body } = await upgrade(server, '?dryRun=true');
    expect([status, body.upgrade]).toEqual([
      200,
      {
        ...{
          dryRun: true,
          applied: false,
          fromVersion: '1.0.0',
          toVersion: '2.0.0',
          missingVariables: [],
          droppedVariables: ['OLD'],
        },
        verification: expect.objectContaining({ status: 'ok', phase: 'done' }),
        tools: states,
      },
    ]);
    expect(await seen(server)).toEqual(before);
    expect(await toolStates(service.owner, server)).toEqual({
      echo: 'approved',
      gone: 'approved',
      sum: 'approved',
    });
    expect(processesNaming(server.id)).toEqual([]);
  });

  it('replaces the version, keeps access and approvals, and withholds changed tools', async () => {
    const server = await aVerifiedServer(service.owner, 'real');
    const agent = await asAgent(service);
    await grant(service.owner, server, agent, { tools: ['echo', 'sum'] });
    await release('real');
    const { body } = await upgrade(server);
    expect(body).toMatchObject({
      id: server.id,
      slug: server.slug,
      catalogVersion: '2.0.0',
      updateAvailable: false,
      status: 'enabled',
    });
    expect(body.upgrade).toMatchObject({ applied: true, tools: states });
    expect(await toolStates(service.owner, server)).toEqual({
      echo: 'approved',
      fresh: 'new',
      gone: 'removed',
      sum: 'changed',
    });
    const access = await service.owner.get<{ agentId: string }[]>(`${pathOf(server)}/access`);
    expect(access.body.find(({ agentId }) => agentId === agent.id)).toMatchObject({
      granted: true,
      tools: ['echo', 'sum'],
    });
    const journal = await service.sql<{ data: object }>(
      `SELECT data FROM journal WHERE subject_id = $1 AND type = 'mcp.server.upgraded'`,
      [server.id],
    );
    expect(journal).toEqual([{ data: { from: '1.0.0', to: '2.0.0', droppedVariables: [] } }]);
  });

  it('requires values that only the new version declares, which can be set in advance', async () => {
    const server = await aVerifiedServer(service.owner, 'asking');
    await release('asking', { variables: [{ name: 'NEW', isRequired: true, isSecret: true }] });
    expect((await upgrade(server, '?dryRun=true')).body.upgrade).toMatchObject({
      missingVariables: ['NEW'],
      verification: null,
    });
    expect((await upgrade(server)).body).toMatchObject({
      status: 409,
      code: 'missing_variables',
      variables: ['NEW'],
    });
    expect(await seen(server)).toMatchObject({ catalogVersion: '1.0.0' });
    expect(
      (await service.owner.put(pathOf(server), { envValues: { NEW: canary('a new value'), NEWER: 'x' } }))
        .status,
    ).toBe(400);
    expect(
      (await service.owner.put(pathOf(server), { envValues: { NEW: canary('a new value') } })).status,
    ).toBe(200);
    expect((await upgrade(server)).body).toMatchObject({
      catalogVersion: '2.0.0',
      configuredEnv: ['NEW'],
      missingEnv: [],
    });
  });

  it('keeps the old version if the new one fails its verification', async () => {
    const server = await aVerifiedServer(service.owner, 'broken');
    await release('broken', { script: 'no-such-file.mjs' });
    const before = await seen(server);
    const { status, body } = await upgrade(server);
    expect([status, body.upgrade]).toMatchObject([
      200,
      { applied: false, verification: { status: 'error' } },
    ]);
    expect(await seen(server)).toEqual(before);
    expect(JSON.parse(await tryOut(service.owner, server, 'echo', { still: 'there' }))).toEqual({
      still: 'there',
    });
  });

  it('deletes values that the new version does not declare', async () => {
    const server = await aVerifiedServer(service.owner, 'dropped', {
      envValues: { OLD: canary('an old value') },
    });
    await release('dropped');
    expect((await upgrade(server)).body).toMatchObject({
      configuredEnv: [],
      upgrade: { droppedVariables: ['OLD'] },
    });
    expect(
      await service.sql(`SELECT name FROM server_credentials WHERE server_id = $1`, [server.id]),
    ).toEqual([]);
  });

  it('approves the first listing also if it comes with the upgrade', async () => {
    const server = await aServer(service.owner, 'fresh-install');
    await release('fresh-install');
    expect((await upgrade(server)).body.upgrade.tools).toEqual(
      ['echo', 'sum', 'fresh'].map((name) => ({ name, state: 'approved' })),
    );
    expect(await toolStates(service.owner, server)).toEqual({
      echo: 'approved',
      fresh: 'approved',
      sum: 'approved',
    });
  });

  it('changes nothing in the second of two concurrent requests', async () => {
    const server = await aVerifiedServer(service.owner, 'running');
    await release('running');
    const both = await Promise.all([upgrade(server), upgrade(server)]);
    expect(both.map(({ body }) => body.upgrade.applied).toSorted()).toEqual([false, true]);
    expect(both.map(({ body }) => body.catalogVersion)).toEqual(['2.0.0', '2.0.0']);
  });

  it('is discarded if the values change in the meantime', async () => {
    const server = await aVerifiedServer(service.owner, 'meanwhile');
    await release('meanwhile');
    const upgrading = upgrade(server);
    await until(() => processesNaming(server.id).length > 0);
    expect((await service.owner.put(pathOf(server), { envValues: { OLD: canary('a value') } })).status).toBe(
      200,
    );
    expect((await upgrading).body).toMatchObject({ status: 503, code: 'unavailable' });
    expect(await seen(server)).toMatchObject({ catalogVersion: '1.0.0', configuredEnv: ['OLD'] });
  });

  it('changes nothing if the catalogue has no new version, and is rejected if it no longer has the entry', async () => {
    const server = await aServer(service.owner, 'same');
    expect((await upgrade(server)).body).toMatchObject({
      updateAvailable: false,
      upgrade: { applied: false, fromVersion: '1.0.0', toVersion: '1.0.0' },
    });
    catalog.withdraw('same');
    await service.owner.post('/api/mcp/catalog/reload');
    expect((await upgrade(server)).body).toMatchObject({ status: 409, code: 'not_installable' });
  });

  it('accepts only true or false as dryRun', async () => {
    const server = await aServer(service.owner, 'dry');
    expect((await upgrade(server, '?dryRun=1')).status).toBe(400);
  });
});
