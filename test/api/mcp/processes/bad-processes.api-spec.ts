import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServerSupervisor } from '../../../../src/mcp/processes/supervision/server-supervisor.js';
import { supervisorSettings } from '../../../../src/mcp/processes/supervision/supervisor-settings.js';
import { until } from '../../../support/until.js';
import { Crowd } from './crowd.js';
import { aDataDir, processesMarked, STRONGEST } from './fake-servers.js';

const data = aDataDir();
let crowd: Crowd;

beforeAll(() => {
  crowd = new Crowd(data.path);
});
afterAll(async () => {
  await crowd.supervisor.shutdown();
  data.drop();
});

describe('a process that misbehaves is contained while others are served:', () => {
  it('1. a server that is silent at start fails to start', async () => {
    const hurried = new ServerSupervisor(
      supervisorSettings({ sandbox: STRONGEST, serviceDataDir: data.path, startTimeoutMs: 500 }),
      { onCrashLimit: () => undefined, onListChanged: () => undefined, onStartListed: async () => undefined },
    );
    const start = hurried.call(
      crowd.misbehaving('silent-at-start', { prior: { era: 'legacy', at: new Date().toISOString() } }),
      'shared',
      'tools/list',
      {},
    );
    await expect(crowd.whileOthersAreServed(start)).rejects.toMatchObject({
      kind: 'start_failed',
      reason: expect.stringContaining('in time'),
    });
    await hurried.shutdown();
  });

  it('12. a server that exits at once fails with its exit code', async () => {
    await expect(
      crowd.whileOthersAreServed(crowd.call(crowd.misbehaving('exit-at-once'), 'echo')),
    ).rejects.toMatchObject({
      kind: 'start_failed',
      reason: expect.stringContaining('code 3'),
    });
  });

  it('13. a server that exits during a call ends all its calls, and the next call starts it again', async () => {
    const server = crowd.misbehaving('exit-in-call');
    await crowd.call(server, 'echo');
    await expect(crowd.whileOthersAreServed(crowd.call(server, 'die'))).rejects.toMatchObject({
      kind: 'died',
    });
    await expect(crowd.call(server, 'echo')).resolves.toBeDefined();
  });

  it('14. a server that keeps crashing is reported after five times', async () => {
    const server = crowd.misbehaving('exit-in-call');
    for (let crash = 0; crash < 5; crash += 1) {
      expect(crowd.crashed).not.toContain(server.serverId);
      await expect(crowd.call(server, 'die')).rejects.toMatchObject({ kind: 'died' });
    }
    await until(() => crowd.crashed.includes(server.serverId));
  });

  it('15. the calls of a server that suspends itself time out, and stopping it leaves no process', async () => {
    const server = crowd.misbehaving('stops-itself');
    await expect(
      crowd.whileOthersAreServed(crowd.call(server, 'stop', {}, { timeoutMs: 300 })),
    ).rejects.toMatchObject({ kind: 'timed_out' });
    await crowd.whileOthersAreServed(crowd.supervisor.stop(server.serverId, 'removed'));
    expect(crowd.supervisor.live().map(({ serverId }) => serverId)).not.toContain(server.serverId);
  });

  it('16. fifty forks of a server end with it', async () => {
    const server = crowd.misbehaving('fork-bomb');
    await crowd.call(server, 'fork');
    const mark = `HOME=${server.dataDir}/`;
    expect((await processesMarked(mark)).length).toBeGreaterThanOrEqual(50);
    await crowd.whileOthersAreServed(crowd.supervisor.stop(server.serverId, 'removed'));
    expect(await processesMarked(mark)).toEqual([]);
  });

  it('17. a server that exceeds its memory limit is ended with that reason', async () => {
    const eating = crowd.call(crowd.misbehaving('memory-eater'), 'eat', { megabytes: 400 });
    await expect(crowd.whileOthersAreServed(eating)).rejects.toMatchObject({
      kind: 'memory',
      reason: expect.stringContaining('256 MiB'),
    });
  });

  it('19. a server with other tools after a restart is listed once by its start, before a call', async () => {
    const server = crowd.misbehaving('changes-tools');
    expect(await crowd.supervisor.listTools(server, 'shared')).toBeNull();
    expect(crowd.listed.get(server.serverId)).toEqual([['before']]);
    await expect(crowd.call(server, 'die')).rejects.toMatchObject({ kind: 'died' });
    await crowd.call(server, 'echo');
    expect(crowd.listed.get(server.serverId)).toEqual([['before'], ['after']]);
  });
});
