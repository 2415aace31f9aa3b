import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createdBy } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import { canary } from '../../support/canary.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { modern } from '../gateway/wire-call.js';
import { LocalCatalog } from './local-catalog.js';
import {
  aServer,
  aVerifiedServer,
  callTool,
  grant,
  pathOf,
  processesNaming,
  tryOut,
  verify,
  type Installed,
} from './servers.js';

const catalog = new LocalCatalog()
  .stdio('polite', ['misbehaving.mjs', 'polite'])
  .stdio('secretive', ['misbehaving.mjs', 'polite'], { variables: [{ name: 'TOKEN', isSecret: true }] })
  .stdio('stubborn', ['process-tree.mjs', 'stubborn'])
  .stdio('crash-loop', ['misbehaving.mjs', 'exit-in-call']);
const service = useService({ settings: { CATALOG_DIRS: catalog.folder, DATABASE_POOL_SIZE: '3' } });
afterAll(() => catalog.remove());

const folderOf = ({ id }: { id: string }) => join(service.dataDir, 'mcp', 'servers', id);
const rounds = Array.from({ length: 6 }, (_, round) => round);

describe('the removal of a server', () => {
  it.each(rounds)(
    'leaves nothing while the server is verified, called, changed, enabled and disabled (round %i)',
    async (round) => {
      const server = await aServer(service.owner, 'polite');
      const { owner } = service;
      const actions = [
        () => verify(owner, server),
        () => callTool(owner, server, 'echo'),
        () => callTool(owner, server, 'wait', { ms: 30_000 }),
        () => owner.post(`${pathOf(server)}/disable`),
        () => owner.post(`${pathOf(server)}/enable`),
        () => owner.put(pathOf(server), { name: `renamed ${server.id}` }),
        () => owner.post(`${pathOf(server)}/upgrade`),
      ];
      const begun = actions.map((action) => action());
      await until(() => round < 2 || processesNaming(server.id).length > 0);
      const [deleted, ...others] = await Promise.all([owner.delete(pathOf(server)), ...begun]);
      expect(deleted.status).toBe(204);
      for (const { status } of others) expect([200, 204, 404]).toContain(status);
      expect(processesNaming(server.id)).toEqual([]);
      expect(existsSync(folderOf(server))).toBe(false);
      expect(await service.sql(`SELECT id FROM installed_servers WHERE id = $1`, [server.id])).toEqual([]);
    },
  );

  it('ends a server that ignores every signal', async () => {
    const server = await aServer(service.owner, 'stubborn');
    expect(await tryOut(service.owner, server, 'ready')).toBe('ready');
    expect((await service.owner.delete(pathOf(server))).status).toBe(204);
    expect(processesNaming(server.id)).toEqual([]);
  });
});

describe('two processes of the service', () => {
  it('both end a server that one of them disables or removes', async () => {
    const other = await service.second();
    for (const end of [
      (path: string) => service.owner.post(`${path}/disable`),
      (path: string) => service.owner.delete(path),
    ]) {
      const server = await aServer(service.owner, 'polite');
      expect((await callTool(service.owner.at(other), server, 'echo')).body.isError).toBe(false);
      expect(processesNaming(server.id)).not.toEqual([]);
      expect((await end(pathOf(server))).status).toBe(204);
      await until(() => processesNaming(server.id).length === 0);
    }
  });

  it('both replace a server when one of them gets new credentials for it', async () => {
    const other = await service.second();
    const server = await aServer(service.owner, 'secretive', {
      envValues: { TOKEN: canary('the first token') },
    });
    expect((await callTool(service.owner.at(other), server, 'echo')).body.isError).toBe(false);
    expect(processesNaming(server.id)).not.toEqual([]);
    await service.owner.put(pathOf(server), { envValues: { TOKEN: canary('the second token') } });
    await until(() => processesNaming(server.id).length === 0);
  });
});

describe('a server that crashes repeatedly', () => {
  const states = async (server: Installed) => {
    const { body } = await service.owner.get<{ name: string; state: string }[]>(
      `${pathOf(server)}/credential-sets`,
    );
    return Object.fromEntries(body.map(({ name, state }) => [name, state]));
  };
  const statusOf = async (server: Installed) => (await service.owner.get<Installed>(pathOf(server))).body;
  let servers: Installed[];
  let agent: Caller;
  const asked = async (tool: string) => {
    const call = { name: `${servers[1]!.slug}__${tool}`, arguments: {} };
    return (await modern(agent, 'tools/call', call)).text;
  };
  // The service waits longer after each crash, so both servers crash at the same time.
  beforeAll(async () => {
    servers = [
      await aServer(service.owner, 'crash-loop'),
      await aVerifiedServer(service.owner, 'crash-loop'),
    ];
    agent = await asAgent(service);
    await createdBy(service.owner, `${pathOf(servers[1]!)}/credential-sets`, { name: 'broken' });
    await grant(service.owner, servers[1]!, agent, { credentialSet: 'broken' });
    await Promise.all([
      until(async () => {
        await callTool(service.owner, servers[0]!, 'die');
        return (await statusOf(servers[0]!)).status === 'error';
      }, 50),
      until(async () => {
        await asked('die');
        return (await states(servers[1]!))['broken'] === 'error';
      }, 50),
    ]);
  }, 60_000);

  it('gets the status error with the reason, and starts again after it is enabled', async () => {
    const server = servers[0]!;
    expect((await statusOf(server)).statusReason).toMatch(/exited with code 4/);
    const [failed] = await service.sql<{ actor_type: string }>(
      `SELECT actor_type FROM journal WHERE subject_id = $1 AND type = 'mcp.server.failed'`,
      [server.id],
    );
    expect(failed).toEqual({ actor_type: 'system' });
    expect((await callTool(service.owner, server, 'echo')).body).toMatchObject({ isError: true });
    await service.owner.post(`${pathOf(server)}/enable`);
    expect((await callTool(service.owner, server, 'echo')).body).toMatchObject({ isError: false });
  });

  it('with one credential set is refused to the agents of that set alone, until it is tried again', async () => {
    const server = servers[1]!;
    expect(await asked('echo')).toMatch(/does not work with the credentials \\"broken\\"/);
    expect(await states(server)).toEqual({ default: 'ready', broken: 'error' });
    expect((await callTool(service.owner, server, 'echo')).body).toMatchObject({ isError: false });
    await service.owner.put(`${pathOf(server)}/credential-sets/broken`, { envValues: {} });
    expect(await states(server)).toEqual({ default: 'ready', broken: 'ready' });
    expect(await asked('echo')).not.toContain('isError');
  });
});

describe('many requests at once', () => {
  it('all complete when there are ten times as many as database connections', async () => {
    const server = await aServer(service.owner, 'polite');
    await tryOut(service.owner, server, 'echo');
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        at % 3 === 0
          ? service.owner.put(pathOf(server), { name: `name ${at}` })
          : at % 3 === 1
            ? callTool(service.owner, server, 'echo')
            : service.owner.get('/api/mcp/installed'),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
