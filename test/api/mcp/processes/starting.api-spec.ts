import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { aDataDir, aServer } from './fake-servers.js';
import { until } from '../../../support/until.js';
import { aPoliteServer, aSupervisor, call, shutDownAll } from './supervisors.js';

const data = aDataDir();
afterEach(shutDownAll);
afterAll(data.drop);

describe('starting', () => {
  it('starts no process before the first call, and one process for many first calls', async () => {
    const supervisor = aSupervisor(data.path);
    const server = aPoliteServer(data.path);
    expect(supervisor.live()).toEqual([]);
    const pids = await Promise.all(Array.from({ length: 20 }, () => call(supervisor, server, 'pid')));
    expect(new Set(pids).size).toBe(1);
    expect(supervisor.live()).toMatchObject([
      { serverId: server.serverId, scope: 'shared', inFlight: 0, era: 'legacy' },
    ]);
  });

  it('gives each scope a process of its own, so that no state passes from one agent to another', async () => {
    const supervisor = aSupervisor(data.path);
    const server = aPoliteServer(data.path);
    expect(await call(supervisor, server, 'count', {}, 'agent-1')).toBe('1');
    expect(await call(supervisor, server, 'count', {}, 'agent-1')).toBe('2');
    expect(await call(supervisor, server, 'count', {}, 'agent-2')).toBe('1');
    expect(supervisor.live()).toHaveLength(2);
  });

  it('waits for the back-off after a crash, and refuses with the time to try again when it is too long', async () => {
    const supervisor = aSupervisor(data.path, {
      backOffMs: { first: 500, longest: 60_000 },
      patienceMs: 1_100,
    });
    const server = aServer(data.path, 'misbehaving.mjs exit-in-call');
    const die = (): Promise<string> => call(supervisor, server, 'die');
    await expect(die()).rejects.toMatchObject({ kind: 'died' });
    await expect(die()).rejects.toMatchObject({ kind: 'died' }); // after 500 ms
    await expect(die()).rejects.toMatchObject({ kind: 'died' }); // after 1 s
    await expect(die()).rejects.toMatchObject({ kind: 'busy', retryAfterSeconds: 2 });
    supervisor.forgive(server.serverId);
    await expect(call(supervisor, server, 'echo')).resolves.toBe('{}');
  });

  it('counts a crash without a waiting call, and reports the fifth', async () => {
    const crashed: string[] = [];
    const supervisor = aSupervisor(data.path, { backOffMs: { first: 1, longest: 1 } }, crashed);
    const server = aPoliteServer(data.path);
    for (let crash = 0; crash < 5; crash += 1) {
      const pid = Number.parseInt(await call(supervisor, server, 'pid'), 10);
      process.kill(pid, 'SIGKILL');
      await until(() => supervisor.live().length === 0);
      expect(crashed).toHaveLength(crash < 4 ? 0 : 1);
    }
  });

  it('probes the era again after a start with the known era failed', async () => {
    const supervisor = aSupervisor(data.path, { backOffMs: { first: 1, longest: 1 } });
    const prior = { era: 'legacy' as const, at: new Date().toISOString() };
    const server = aServer(data.path, 'both-eras.mjs reject', { prior });
    await expect(call(supervisor, server, 'echo', { value: 'x' })).rejects.toMatchObject({
      kind: 'start_failed',
    });
    expect(await call(supervisor, server, 'echo', { value: 'x' })).toBe('x');
  });
});
