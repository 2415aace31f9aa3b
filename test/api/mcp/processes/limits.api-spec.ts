import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import {
  descendantsOf,
  proportionalBytesOf,
  readProcessTable,
  residentBytesOf,
} from '../../../../src/mcp/processes/supervision/process-table-and-folder-bytes.js';
import { until } from '../../../support/until.js';
import { aDataDir, aServer, STRONGEST } from './fake-servers.js';
import { aPoliteServer, aSupervisor, call, shutDownAll } from './supervisors.js';

const data = aDataDir();
afterEach(shutDownAll);
afterAll(data.drop);

describe('limits', () => {
  it('ends a process that was idle for too long', async () => {
    const supervisor = aSupervisor(data.path, { idleSeconds: 0.3 });
    await call(supervisor, aPoliteServer(data.path), 'echo');
    expect(supervisor.live()).toHaveLength(1);
    await until(() => supervisor.live().length === 0);
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
    await until(() => supervisor.live().every(({ inFlight }) => inFlight === 1));
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

  it('ends a server whose files exceed its disk, with a reason, and one that is full again after its start', async () => {
    const crashed: string[] = [];
    const given = { diskMb: 4, watchDiskMs: 20, backOffMs: { first: 1, longest: 2 } };
    const supervisor = aSupervisor(data.path, given, crashed);
    const [hoarder, other] = [aServer(data.path, 'misbehaving.mjs hoarder'), aPoliteServer(data.path)];
    await call(supervisor, hoarder, 'store', { files: 3, bytes: 1_000_000 });
    expect(await call(supervisor, hoarder, 'echo')).toBe('{}');
    await call(supervisor, hoarder, 'store', { files: 5, bytes: 1_000_000 }).catch(() => undefined);
    await until(() => supervisor.live().length === 0);
    const again = call(supervisor, hoarder, 'echo').then(
      () => until(() => supervisor.live().every(({ serverId }) => serverId !== hoarder.serverId)),
      (error: unknown) =>
        expect(error).toMatchObject({ kind: 'disk', reason: expect.stringContaining('4 MiB') }),
    );
    await again;
    expect(await call(supervisor, other, 'echo')).toBe('{}');
  });

  it('refuses a single file that is larger than the disk of a server', async () => {
    const supervisor = aSupervisor(data.path, { diskMb: 4, watchDiskMs: 60_000 });
    const server = aServer(data.path, 'misbehaving.mjs hoarder');
    await expect(call(supervisor, server, 'store', { files: 1, bytes: 5_000_000 })).rejects.toThrow();
    expect(await call(supervisor, aPoliteServer(data.path), 'echo')).toBe('{}');
  });
});

describe('the memory of a server', () => {
  const sharing = () => aServer(data.path, 'misbehaving.mjs shares-memory');
  const limited = { sandbox: STRONGEST, processMemoryMb: 200 };
  const MEBIBYTE = 2 ** 20;

  it('counts a page once that several of its processes share', async () => {
    const supervisor = aSupervisor(data.path, limited);
    const server = sharing();
    await call(supervisor, server, 'share', { megabytes: 60, processes: 6 });
    const table = await readProcessTable();
    const rows = descendantsOf(supervisor.live()[0]?.pid ?? 0, table);
    expect(residentBytesOf(rows)).toBeGreaterThan(300 * MEBIBYTE);
    expect(await proportionalBytesOf(rows)).toBeLessThan(200 * MEBIBYTE);
    // The memory is checked each 20 ms, and a server beyond its limit would not answer.
    expect(await call(supervisor, server, 'wait', { ms: 400 })).toBe('waited');
  });

  it('ends a server whose processes use more than the limit although they share', async () => {
    const supervisor = aSupervisor(data.path, limited);
    const server = sharing();
    // The answer may come before the next look at the memory, which then ends the call after it.
    const calls = call(supervisor, server, 'share', { megabytes: 300, processes: 1 }).then(() =>
      call(supervisor, server, 'wait', { ms: 60_000 }),
    );
    await expect(calls).rejects.toMatchObject({
      kind: 'memory',
      reason: expect.stringContaining('200 MiB'),
    });
  });
});

describe('the limits of one server', () => {
  it('replace the memory and the time of a call of the service', async () => {
    const supervisor = aSupervisor(data.path, { sandbox: STRONGEST });
    const small = aServer(data.path, 'misbehaving.mjs memory-eater', { limits: { memoryMb: 100 } });
    await expect(call(supervisor, small, 'eat', { megabytes: 300 })).rejects.toMatchObject({
      kind: 'memory',
      reason: expect.stringContaining('100 MiB'),
    });
    const hasty = aPoliteServer(data.path, { limits: { callTimeoutSeconds: 1 } });
    for (const _ of ['at the start', 'while it runs'])
      await expect(call(supervisor, hasty, 'wait', { ms: 60_000 })).rejects.toMatchObject({
        kind: 'timed_out',
      });
  });

  it('are those of its processes and open files', async () => {
    const supervisor = aSupervisor(data.path, { sandbox: STRONGEST });
    const limitsOf = (further: object) =>
      call(supervisor, aServer(data.path, 'sandbox-attempts.mjs', further), 'read-file', {
        path: '/proc/self/limits',
      });
    const own = await limitsOf({ limits: { processes: 77, openFiles: 99 } });
    if (STRONGEST !== 'process-group') expect(own).toMatch(/Max processes\s+77\s+77/);
    expect(own).toMatch(/Max open files\s+99\s+99/);
    expect(await limitsOf({})).toMatch(/Max open files\s+(\d+)\s+\1/);
    // A limit beyond that of the service itself is cut to it, in place of a start that fails.
    expect(await limitsOf({ limits: { processes: 65_536, openFiles: 1_048_576 } })).toMatch(/Max open files/);
  });
});
