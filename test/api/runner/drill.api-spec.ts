import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { aLink, anAgent, anIssue, aProject, type Issue, type NewAgent } from '../../support/builders.js';
import { DatabaseProxy } from '../../support/database-proxy.js';
import { Runner } from '../../support/runner.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const isFull = process.env['TEST_SIZE'] === 'full';
const [ISSUES, LINKS, AGENTS] = isFull ? [200, 300, 6] : [18, 24, 3];
const LEASE = 15;
const service = useService({ settings: { LEASE_SECONDS: String(LEASE) } });
const folder = mkdtempSync(join(tmpdir(), 'awp-drill-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let runners: Runner[] = [];
// A runner that is left would keep Jest from ending.
afterAll(async () => {
  for (const runner of runners) await runner.remove();
});

describe('a graph of issues on several runners', () => {
  it('is resolved once each and in order, with a runner that is killed and one whose network breaks', async () => {
    const times = join(folder, 'times');
    const note = (what: string) => `echo ${what} $AWP_ISSUE $(date +%s%N) >> "$TIMES"`;
    const command = ['/bin/sh', '-c', `${note('start')}; sleep 0.3; ${note('end')}; echo done`];
    const agents: NewAgent[] = [];
    for (let count = 0; count < AGENTS; count += 1)
      agents.push(await anAgent(service.owner, { maxConcurrentIssues: 50 }));
    const { issues, links } = await graphOf(agents);
    const cut = await DatabaseProxy.before(service.baseUrl);
    const urls = [service.baseUrl, service.baseUrl, cut.url];
    runners = urls.map((url, at) => {
      const mine = agents.filter((_, index) => index % 3 === at);
      const settings = mine.map((agent, index) => [
        `a${index}`,
        { agent, command, capacity: 2, env: ['TIMES'] },
      ]);
      return new Runner(url.replace(/\/$/, ''), Object.fromEntries(settings) as never, {
        TIMES: times,
      }).start();
    });
    const resolved = async () => {
      const { body } = await service.owner.get<Issue[]>(
        `/api/projects/${issues[0]!.projectId}/issues?limit=200`,
      );
      return body.filter(({ status }) => status === 'Resolved').length;
    };
    await until(async () => (await resolved()) >= ISSUES / 6, 300);
    await runners[0]!.end('SIGKILL');
    cut.swallow();
    runners[0]!.start();
    // The network is away for longer than a lease.
    const end = performance.now() + LEASE * 1500;
    await until(() => performance.now() > end, 120);
    await cut.giveBack();
    await until(async () => (await resolved()) === ISSUES, 300);
    const log = readFileSync(times, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' '));
    const at = (what: string, { key }: Issue) =>
      log.filter(([kind, issue]) => kind === what && issue === key).map(([, , time]) => BigInt(time!));
    for (const [before, after] of links) {
      const firstEnd = at('end', before)[0]!;
      expect(at('start', after).filter((start) => start < firstEnd)).toEqual([]);
    }
    for (const { id } of issues) {
      const { body } = await service.owner.get<unknown[]>(`/api/projects/issues/${id}/comments`);
      expect(body).toHaveLength(1);
    }
    for (const runner of runners) await runner.remove();
    await cut.stop();
  }, 900_000);
});

/** Links lead from earlier to later issues, so there is no cycle. */
async function graphOf(agents: NewAgent[]): Promise<{ issues: Issue[]; links: [Issue, Issue][] }> {
  const project = await aProject(service.owner);
  const issues: Issue[] = [];
  for (let count = 0; count < ISSUES; count += 1)
    issues.push(await anIssue(service.owner, project, { assignedAgentId: agents[count % AGENTS]!.id }));
  const links = new Map<string, [Issue, Issue]>();
  for (let count = 0; links.size < LINKS; count += 1) {
    const after = 1 + ((count * 7) % (ISSUES - 1));
    const before = (count * 11 + Math.floor(count / ISSUES)) % after;
    links.set(`${before} ${after}`, [issues[before]!, issues[after]!]);
  }
  for (const [before, after] of links.values()) await aLink(service.owner, before, after);
  return { issues, links: [...links.values()] };
}
