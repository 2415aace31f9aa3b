import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { aDataDir, aServer, processesMarked } from './fake-servers.js';
import { until } from '../../../support/until.js';
import { aPoliteServer, aSupervisor, call, shutDownAll } from './supervisors.js';

const data = aDataDir();
afterEach(shutDownAll);
afterAll(data.drop);

describe('replacing and stopping', () => {
  it('lets running calls finish on the old process when the revision changes, and starts a new one', async () => {
    const supervisor = aSupervisor(data.path);
    const server = aPoliteServer(data.path, { env: { TOKEN: 'old' } });
    const old = await call(supervisor, server, 'pid');
    const running = call(supervisor, server, 'wait', { ms: 1_500 });
    await until(() => supervisor.live()[0]?.inFlight === 1);
    const changed = { ...server, revision: '2', env: { TOKEN: 'new' } };
    expect(await call(supervisor, changed, 'environment')).toContain('"TOKEN":"new"');
    expect(await call(supervisor, changed, 'pid')).not.toBe(old);
    expect(await running).toBe('waited');
    await until(() => supervisor.live().length === 1);
  });

  it('lets running calls finish on a drain, and leaves no process', async () => {
    const supervisor = aSupervisor(data.path);
    const server = aPoliteServer(data.path);
    await call(supervisor, server, 'echo');
    const running = call(supervisor, server, 'wait', { ms: 1_000 });
    await until(() => supervisor.live()[0]?.inFlight === 1);
    await supervisor.drain(server.serverId);
    expect(await running).toBe('waited');
    expect(supervisor.live()).toEqual([]);
  });

  it('stops all scopes, fails waiting calls with the reason, and leaves no process', async () => {
    const supervisor = aSupervisor(data.path);
    const server = aPoliteServer(data.path);
    await call(supervisor, server, 'echo', {}, 'agent-2');
    const running = call(supervisor, server, 'wait', { ms: 60_000 }, 'agent-1');
    await until(
      () => supervisor.live().length === 2 && supervisor.live().some(({ inFlight }) => inFlight === 1),
    );
    const refused = expect(running).rejects.toMatchObject({
      kind: 'stopped',
      reason: 'An admin disabled the server.',
    });
    await supervisor.stop(server.serverId, 'An admin disabled the server.');
    await refused;
    expect(supervisor.live()).toEqual([]);
    expect(await processesMarked(`HOME=${server.dataDir}/`)).toEqual([]);
  });

  it('refuses calls to a removed server, including those in flight, and forgets the server', async () => {
    const supervisor = aSupervisor(data.path);
    const server = aServer(data.path, 'misbehaving.mjs stderr-flood');
    await call(supervisor, server, 'flood', { bytes: 1_000 });
    const removed = supervisor.remove(server.serverId, 'An admin removed the server.');
    await expect(call(supervisor, server, 'echo')).rejects.toMatchObject({ kind: 'stopped' });
    await removed;
    await expect(call(supervisor, server, 'echo')).rejects.toMatchObject({
      reason: 'An admin removed the server.',
    });
    expect(supervisor.live()).toEqual([]);
    expect(supervisor.logs(server.serverId)).toEqual([]);
  });

  it('stops a server during its start', async () => {
    const supervisor = aSupervisor(data.path);
    const server = aServer(data.path, 'misbehaving.mjs silent-at-start');
    const starting = expect(call(supervisor, server, 'echo')).rejects.toMatchObject({ kind: 'stopped' });
    await until(async () => (await processesMarked(`HOME=${server.dataDir}/`)).length > 0);
    await supervisor.stop(server.serverId, 'An admin disabled the server.');
    await starting;
    expect(await processesMarked(`HOME=${server.dataDir}/`)).toEqual([]);
  });

  it('keeps the stderr of a server after its end', async () => {
    const supervisor = aSupervisor(data.path);
    const server = aServer(data.path, 'misbehaving.mjs exit-at-once');
    await expect(call(supervisor, server, 'echo')).rejects.toMatchObject({ kind: 'start_failed' });
    expect(supervisor.logs(server.serverId)).toContainEqual({
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      credentialSetId: server.serverId,
      text: 'I cannot work like this.',
    });
  });

  it('lets running calls finish at shutdown, refuses new ones, and leaves no process', async () => {
    const supervisor = aSupervisor(data.path, { shutdownGraceMs: 4_000 });
    const server = aPoliteServer(data.path);
    await call(supervisor, server, 'echo');
    const quick = call(supervisor, server, 'wait', { ms: 1_000 });
    const endless = expect(call(supervisor, server, 'wait', { ms: 60_000 })).rejects.toMatchObject({
      kind: 'stopped',
    });
    await until(() => supervisor.live()[0]?.inFlight === 2);
    const shutdown = supervisor.shutdown();
    await expect(call(supervisor, server, 'echo')).rejects.toMatchObject({
      kind: 'stopped',
      retryAfterSeconds: 60,
    });
    expect(await quick).toBe('waited');
    await endless;
    await shutdown;
    expect(await processesMarked(`HOME=${server.dataDir}/`)).toEqual([]);
  });
});
