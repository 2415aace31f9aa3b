import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { aDataDir, eventually } from './fake-servers.js';
import { aPoliteServer, aSupervisor, call, shutDownAll } from './supervisors.js';

const data = aDataDir();
afterEach(shutDownAll);
afterAll(data.drop);

describe('limits', () => {
  it('ends a process that was idle for too long', async () => {
    const supervisor = aSupervisor(data.path, { idleSeconds: 0.3 });
    await call(supervisor, aPoliteServer(data.path), 'echo');
    expect(supervisor.live()).toHaveLength(1);
    await eventually(() => supervisor.live().length === 0);
  });

  it('ends the process that is idle longest for a new one, and never a busy one', async () => {
    const supervisor = aSupervisor(data.path, { maxProcesses: 2, patienceMs: 300 });
    const [first, second, third] = [
      aPoliteServer(data.path),
      aPoliteServer(data.path),
      aPoliteServer(data.path),
    ];
    await call(supervisor, first, 'echo');
    await call(supervisor, second, 'echo');
    await call(supervisor, third, 'echo');
    expect(supervisor.live().map(({ serverId }) => serverId)).toEqual([second.serverId, third.serverId]);

    const busy = [second, third].map((server) => call(supervisor, server, 'wait', { ms: 3_000 }));
    await eventually(() => supervisor.live().every(({ inFlight }) => inFlight === 1));
    await expect(call(supervisor, first, 'echo')).rejects.toMatchObject({
      kind: 'busy',
      retryAfterSeconds: 1,
    });
    expect(await Promise.all(busy)).toEqual(['waited', 'waited']);
  });

  it('queues calls over the limit of a process, and refuses them when the queue is full or the wait too long', async () => {
    const supervisor = aSupervisor(data.path, { callsPerProcess: 2, queueLength: 2, patienceMs: 400 });
    const server = aPoliteServer(data.path);
    const other = aPoliteServer(data.path);
    await call(supervisor, server, 'echo');
    const calls = [1, 2].map(() => call(supervisor, server, 'wait', { ms: 3_000 }));
    const queued = [1, 2].map(() =>
      call(supervisor, server, 'echo').catch((error: { kind: string }) => error.kind),
    );
    await expect(call(supervisor, server, 'echo')).rejects.toMatchObject({
      kind: 'busy',
      reason: expect.stringContaining('Try again in'),
    });
    await expect(call(supervisor, other, 'echo')).resolves.toBe('{}');
    expect(await Promise.all(queued)).toEqual(['busy', 'busy']);
    await Promise.all(calls);
  });

  it('serves callers in turns, so that one with many calls does not keep another out', async () => {
    const supervisor = aSupervisor(data.path, { callsInAll: 1 });
    const server = aPoliteServer(data.path);
    await call(supervisor, server, 'echo');
    const order: string[] = [];
    const ask = (caller: string): Promise<unknown> =>
      call(supervisor, server, 'wait', { ms: 20 }, 'shared', { caller }).then(() => order.push(caller));
    await Promise.all([...Array.from({ length: 8 }, () => ask('greedy')), ask('modest')]);
    expect(order.indexOf('modest')).toBeLessThanOrEqual(2);
  });
});
