import { afterEach, describe, expect, it } from '@jest/globals';
import { LosingProxy } from '../../support/losing-proxy.js';
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
