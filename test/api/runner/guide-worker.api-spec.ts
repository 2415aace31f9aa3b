import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  aLink,
  anAgent,
  anIssue,
  aProject,
  type Issue,
  type NewAgent,
  type Project,
} from '../../support/builders.js';
import { LosingProxy } from '../../support/losing-proxy.js';
import { useService } from '../../support/service.js';
import { codeBlock } from '../../support/shell-blocks.js';
import { until } from '../../support/until.js';

const COUNT = process.env['TEST_SIZE'] === 'full' ? 60 : 18;
const LIMIT_SECONDS = 120;
const WORK = resolve(import.meta.dirname, '../../support/held-work.mjs');
const source = codeBlock('docs/api-guide.md', 'the worker', 'js');

const service = useService({ settings: { LEASE_SECONDS: '15' } });
const folder = mkdtempSync(join(tmpdir(), 'awp-guide-worker-'));
const workers = new Map<string, ChildProcess>();
let project: Project;
let agents: [NewAgent, NewAgent];
let proxy: LosingProxy;
let requests = 0;
beforeAll(async () => {
  writeFileSync(join(folder, 'worker.mjs'), source);
  project = await aProject(service.owner);
  agents = [await anAgent(service.owner), await anAgent(service.owner)];
  proxy = await LosingProxy.before(service.baseUrl, () => (requests += 1) % 4 === 0);
});
afterAll(async () => {
  for (const name of workers.keys()) await end(name);
  proxy?.close();
  rmSync(folder, { recursive: true, maxRetries: 5 });
});

/** Starts a worker in a process group of its own. */
function start(name: string, agent: NewAgent, url = service.baseUrl): void {
  const { PATH = '' } = process.env;
  const env = { PATH, AWP_URL: url, AWP_KEY: agent.key, AWP_WORKER: name };
  const given = ['worker.mjs', process.execPath, WORK, folder];
  workers.set(name, spawn(process.execPath, given, { cwd: folder, env, detached: true, stdio: 'ignore' }));
}

/** Ends a worker together with its commands, as the end of a container does. */
async function end(name: string): Promise<void> {
  const worker = workers.get(name)!;
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const closed = once(worker, 'close');
  process.kill(-worker.pid!, 'SIGKILL');
  await closed;
}

type Line = [what: string, key: string, worker: string];
function log(): Line[] {
  try {
    const lines = readFileSync(join(folder, 'log'), 'utf8').trim().split('\n');
    return lines.map((line) => line.split(' ') as Line);
  } catch {
    return [];
  }
}
const begun = ({ key }: Issue) => log().filter((line) => line[0] === 'begin' && line[1] === key);
const begins = (issue: Issue, times: number) => until(() => begun(issue).length >= times, LIMIT_SECONDS);
const pidOf = ({ key }: Issue) => readFileSync(join(folder, `${key}.pid`), 'utf8');
const ends = (pid: string) =>
  until(() => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
    } catch {
      return true;
    }
  }, LIMIT_SECONDS);
const letEnd = ({ key }: Issue) => writeFileSync(join(folder, key), '');
const at = (what: string, { key }: Issue) => log().findIndex((line) => line[0] === what && line[1] === key);

describe('the worker of docs/api-guide.md', () => {
  it('has at most 31 lines', () => {
    expect(source.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(31);
  });

  it('ends its commands with itself when another process has taken over its name', async () => {
    const agent = await anAgent(service.owner);
    const issue = await anIssue(service.owner, project, { assignedAgentId: agent.id, description: 'held' });
    start('taken', agent);
    await begins(issue, 1);
    const heartbeat = { worker: 'taken', instance: 'next', takeOver: true, leases: [] };
    const answer = await fetch(`${service.baseUrl}/api/agents/me/heartbeat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${agent.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(heartbeat),
    });
    expect(((await answer.json()) as { work: object[] }).work).toMatchObject([{ state: 'start', token: 2 }]);
    await ends(pidOf(issue));
    expect(log().filter(([what, key]) => what === 'end' && key === issue.key)).toEqual([]);
    await service.owner.put(`/api/projects/issues/${issue.id}`, { status: 'Resolved' });
  });

  it(
    `finishes ${COUNT} issues with three workers, through a pause, a reassignment, kill -9 and lost responses`,
    async () => {
      const [paused, moved, killed] = [await held(), await held(), await held()];
      const links: [Issue, Issue][] = [];
      const issues = [paused, moved, killed];
      while (issues.length < COUNT) {
        const issue = await assigned(issues.length % 3 === 0 ? 1 : 0);
        for (const blocker of issues.slice(-3, issues.length % 2 ? -1 : undefined)) {
          await aLink(service.owner, blocker, issue);
          links.push([blocker, issue]);
        }
        issues.push(issue);
      }
      start('one', agents[0]);
      start('two', agents[0], proxy.url);
      start('three', agents[1]);

      await begins(paused, 1);
      await act(paused, 'pause');
      await ends(pidOf(paused));
      await act(paused, 'resume');
      await begins(paused, 2);
      letEnd(paused);

      await begins(moved, 1);
      const former = pidOf(moved);
      await service.owner.put(`/api/projects/issues/${moved.id}`, { assignedAgentId: agents[1].id });
      await until(() => begun(moved).some(([, , worker]) => worker === 'three'), LIMIT_SECONDS);
      await ends(former);
      letEnd(moved);

      await begins(killed, 1);
      const [, , name] = begun(killed)[0]!;
      const orphan = pidOf(killed);
      await end(name);
      await ends(orphan);
      start(name, agents[0], name === 'two' ? proxy.url : undefined);
      await begins(killed, 2);
      letEnd(killed);

      const path = `/api/projects/${project.id}/issues`;
      await until(
        async () =>
          (await service.owner.get<Issue[]>(path)).body.every(({ status }) => status === 'Resolved'),
        LIMIT_SECONDS,
      );
      expect(proxy.lost.length).toBeGreaterThan(0);
      // A worker hears of a reassignment with its next heartbeat, and the new one may begin before that.
      expect(log().filter(([what, key]) => what === 'doubled' && key !== moved.key)).toEqual([]);
      for (const [blocker, blocked] of links)
        expect(at('begin', blocked)).toBeGreaterThan(at('end', blocker));
      // Another worker may take what the killed one leaves before its next start has the name.
      for (const issue of issues) await expectOneResult(issue, issue === killed ? 1 : 0);
    },
    (4 * LIMIT_SECONDS + 60) * 1000,
  );
});

const assigned = (agent: 0 | 1, fields: object = {}) =>
  anIssue(service.owner, project, { assignedAgentId: agents[agent].id, ...fields });
const held = () => assigned(0, { description: 'held', priority: 'urgent' });

async function act({ id }: Issue, action: string): Promise<void> {
  expect((await service.owner.post(`/api/projects/issues/${id}/${action}`)).status).toBe(204);
}

/** The work was handed in once, and no more of it was counted as a failure. */
async function expectOneResult({ id, key }: Issue, failures: number): Promise<void> {
  const [issue, comments] = await Promise.all([
    service.owner.get<Issue>(`/api/projects/issues/${id}`),
    service.owner.get<{ content: string }[]>(`/api/projects/issues/${id}/comments`),
  ]);
  expect(issue.body.status).toBe('Resolved');
  expect(issue.body['attempts']).toBeLessThanOrEqual(failures);
  expect(comments.body.map(({ content }) => content)).toEqual([`Done.\nThe work on ${key} is done.\n`]);
  expect(log().filter(([what, whose]) => what === 'end' && whose === key)).toHaveLength(1);
}
