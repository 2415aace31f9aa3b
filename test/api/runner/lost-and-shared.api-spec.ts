import { afterEach, describe, expect, it } from '@jest/globals';
import { LosingProxy } from '../../support/losing-proxy.js';
import { withKey } from '../../support/callers.js';
import { RunnerWorld } from '../../support/runner-world.js';
import { Runner } from '../../support/runner.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const service = useService({ settings: { LEASE_SECONDS: '15' } });

describe('a runner whose network loses responses', () => {
  it('repeats a finish until it is answered, and the issue is resolved once', async () => {
    let left = 2;
    const proxy = await LosingProxy.before(service.baseUrl, (path) => /\/finish$/.test(path) && left-- > 0);
    const world = await RunnerWorld.of(service, {}, { url: proxy.url });
    const issues = [await world.issue(['say one']), await world.issue(['say two'])];
    world.runner.start();
    for (const issue of issues) {
      await world.becomes(issue, 'Resolved');
      expect(await world.comments(issue)).toHaveLength(1);
    }
    await until(() => world.runner.output.includes(`${issues[1]!.key} ended`));
    expect(proxy.lost).toHaveLength(2);
    await world.runner.end('SIGKILL');
    proxy.close();
  });
});

describe('a runner that was killed before it could report its work', () => {
  it('reports it after its next start, and does not work again', async () => {
    let isCut = true;
    const isEnd = (path: string) => isCut && path.endsWith('/finish');
    const proxy = await LosingProxy.before(service.baseUrl, () => false, isEnd);
    const world = await RunnerWorld.of(service, {}, { url: proxy.url });
    const issue = await world.issue(['say done']);
    world.runner.start();
    await until(() => proxy.stopped.length > 0);
    await world.runner.end('SIGKILL');
    isCut = false;
    const next = await world.issue(['say done']);
    world.runner.start();
    for (const { key, id } of [issue, next]) {
      expect(await world.becomes({ ...issue, key, id }, 'Resolved')).toMatchObject({ attempts: 0 });
      expect(world.runner.heard('bot', key)).toHaveLength(1);
    }
    proxy.close();
  });
});

describe('a runner whose name another process has taken over', () => {
  it('stops its work, and takes no more', async () => {
    const world = await RunnerWorld.of(service);
    const issue = await world.issue(['until go', 'say done']);
    world.runner.start();
    await world.prompts(issue, 1);
    const [row] = await service.sql<{ worker: string }>(
      `SELECT worker FROM issue_leases WHERE issue_id = $1`,
      [issue.id],
    );
    const { status } = await withKey(service, world.agent.key).post('/api/agents/me/heartbeat', {
      ...row,
      instance: 'another',
      takeOver: true,
      capacity: 0,
    });
    expect(status).toBe(200);
    await until(() => !world.runner.isRunning);
    expect(world.runner.output).toContain('Another process has taken over this worker name');
    expect(await world.read(issue)).toMatchObject({ status: 'InProgress', attempts: 0 });
  });
});

const others: Runner[] = [];
// A runner that is left would keep Jest from ending.
afterEach(async () => {
  for (const runner of others.splice(0)) await runner.remove();
});

describe('two runners of one agent on a host', () => {
  it('share its issues, and the second takes what the first, killed, leaves', async () => {
    const world = await RunnerWorld.of(service);
    const other = new Runner(service.baseUrl, { bot: { agent: world.agent } });
    others.push(other);
    const issues = [await world.issue(['until go', 'say done']), await world.issue(['until go', 'say done'])];
    const started = (runner: Runner) => issues.filter(({ key }) => runner.heard('bot', key).length > 0);
    world.runner.start();
    await until(() => started(world.runner).length === 1);
    other.start();
    await until(() => started(other).length === 1);
    expect(started(other)).not.toEqual(started(world.runner));
    await world.runner.end('SIGKILL');
    other.write('bot', started(other)[0]!.key, 'go');
    await until(() => started(other).length === 2);
    for (const { key } of issues) other.write('bot', key, 'go');
    for (const issue of issues) await world.becomes(issue, 'Resolved');
  });
});
