import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { anAgent, type Issue } from '../../support/builders.js';
import { DatabaseProxy } from '../../support/database-proxy.js';
import { processesIn } from '../../support/processes-in.js';
import { agentProcessOf, Graph, tokensHeardBy, type Worker } from '../../support/runner-drill.js';
import { Runner, scripted } from '../../support/runner.js';
import { useService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import { answer, type Gate } from '../work/gates/gate-requests.js';

// Each of its dangers has a small test of its own beside this file.
const inFull = process.env['TEST_SIZE'] === 'full' ? describe : describe.skip;
const [ISSUES, LINKS, AGENTS] = [200, 300, 6];
const ROUNDS = 2;
const LEASE = 15;
const CAPACITY = 2;
const settings = { LEASE_SECONDS: String(LEASE), MAX_ATTEMPTS: '50' };
const service = useService({ settings, ownProcess: true });
const folder = mkdtempSync(join(tmpdir(), 'awp-drill-'));
const times = join(folder, 'times');
const runners: Runner[] = [];
// A runner that is left would keep Jest from ending.
afterAll(async () => {
  for (const runner of runners) await runner.remove();
  rmSync(folder, { recursive: true, force: true });
});

const NOTE = 'echo $AWP_ISSUE $(date +%s%N) >> "$TIMES"';
const LIKE_ACP = { acp: scripted(), permissions: 'ask', hooks: { before_turn: NOTE } };
const LIKE_A_COMMAND = { command: ['/bin/sh', '-c', `${NOTE}; sleep 0.3; echo done`] };

inFull('a graph of issues on several runners', () => {
  it('is resolved once each and in order, whatever is killed, cut off, paused, reassigned or asked', async () => {
    const second = await service.second();
    const cut = await DatabaseProxy.before(service.baseUrl);
    const workers = await hire([service.baseUrl, second.baseUrl, cut.url]);
    const graph = await Graph.of(service.owner, { issues: ISSUES, links: LINKS }, (at) =>
      work(at, workers[at % AGENTS]!),
    );
    for (const runner of runners) runner.start();
    const drill = new Drill(graph, workers);
    const steps = [
      // The network is away for longer than a lease, while the rest happens.
      () => drill.cutFor(cut, LEASE * 1500),
      () => drill.pauseAndResume(),
      () => drill.killRunner(0),
      () => drill.reassign(),
      () => drill.killAgent(),
      () => restart(second),
      () => restart(service),
      () => drill.killRunner(1),
    ];
    const all = Array.from({ length: ROUNDS }, () => steps).flat();
    for (const [at, step] of all.entries()) {
      await drill.reaches(Math.floor((ISSUES * (at + 1)) / (all.length + 3)));
      await step();
    }
    await drill.reaches(ISSUES);
    await drill.cutting;
    await graph.mustBeInOrder(times);
    await drill.mustHaveCountedUsage();
    for (const runner of runners) await runner.end();
    await until(() => processesIn(times).length === 0);
    await cut.stop();
  }, 900_000);
});

/** Three runners share the agents. Every second agent speaks ACP. */
async function hire(urls: string[]): Promise<Worker[]> {
  const workers: Worker[] = [];
  for (const [at, url] of urls.entries()) {
    const agents: Record<string, { agent: Worker['agent'] }> = {};
    for (let index = at; index < AGENTS; index += urls.length) {
      const agent = await anAgent(service.owner, { maxConcurrentIssues: 50 });
      const kind = index % 2 === 0 ? LIKE_ACP : LIKE_A_COMMAND;
      agents[`a${index}`] = { agent, ...{ capacity: CAPACITY, env: ['TIMES'] }, ...kind };
    }
    const runner = new Runner(url.replace(/\/$/, ''), agents, { TIMES: times });
    runners.push(runner);
    for (const [name, { agent }] of Object.entries(agents))
      workers.push({ agent, name, runner, speaks: 'acp' in agents[name]! });
  }
  return workers.toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Every fifth issue asks a person. The figures differ, so that a report that is missing cannot hide one that is double. */
function work(at: number, { agent, speaks }: Worker) {
  const permission = at % 5 === 0 ? ['permission Do it'] : [];
  const script = ['sleep 0.3', ...permission, `usage ${1000 + at} 1`, 'say done'];
  const description = speaks ? script.map((line) => `>> ${line}`).join('\n') : 'A command.';
  return { description, assignedAgentId: agent.id };
}

/** What happens to the runners meanwhile. */
class Drill {
  cutting: Promise<void> = Promise.resolve();
  private isCut = false;

  constructor(
    private readonly graph: Graph,
    private readonly workers: Worker[],
  ) {}

  /** Answers what is asked until so many issues are resolved. */
  async reaches(count: number): Promise<void> {
    let resolved = 0;
    const isReached = async () => {
      const { body } = await service.owner.get<Gate[]>('/api/projects/gates?state=open');
      for (const gate of body) await answer(service.owner, gate, { option: 'Allow' });
      await this.mustKeepToCapacity();
      resolved = (await this.graph.now()).filter(({ status }) => status === 'Resolved').length;
      return resolved >= count;
    };
    try {
      await until(isReached, 300);
    } catch (error) {
      const open = (await this.graph.now()).filter(({ status }) => status !== 'Resolved');
      const states = open.map(({ key, status, attempts }) => `${key} ${status} ${attempts}`).join('\n');
      const outputs = runners.map(({ output }) => output.slice(-3000)).join('\n---\n');
      throw new Error(`${resolved} of ${count} resolved.\n${states}\n${outputs}`, { cause: error });
    }
  }

  async pauseAndResume(): Promise<void> {
    const { id } = await this.running(() => true);
    await service.owner.post(`/api/projects/issues/${id}/pause`);
    await until(async () => {
      const { body } = await service.owner.get<Issue>(`/api/projects/issues/${id}`);
      return body.status !== 'InProgress';
    });
    await service.owner.post(`/api/projects/issues/${id}/resume`);
  }

  async reassign(): Promise<void> {
    await this.giveToAnother(await this.running(({ speaks }) => speaks));
  }

  /** The issue is given back, and waits a minute for the same agent: another one takes it at once. */
  async killAgent(): Promise<void> {
    let killed: Issue | null = null;
    await until(async () => {
      const issue = await this.running(({ speaks }) => speaks);
      const pid = agentProcessOf(issue);
      if (pid !== null) killed = issue;
      return pid !== null && isKilled(pid);
    });
    const { id } = killed!;
    const read = async () => (await service.owner.get<Issue>(`/api/projects/issues/${id}`)).body;
    await until(async () => (await read()).status !== 'InProgress');
    if ((await read()).status === 'Open') await this.giveToAnother(await read());
  }

  async killRunner(at: number): Promise<void> {
    await runners[at]!.end('SIGKILL');
    await until(() => processesIn(runners[at]!.folder).length === 0);
    runners[at]!.start();
  }

  /** Cuts the third runner off. The next cut waits for the end of this one. */
  async cutFor(proxy: DatabaseProxy, milliseconds: number): Promise<void> {
    await this.cutting;
    proxy.swallow();
    this.isCut = true;
    this.cutting = this.reconnect(proxy, milliseconds);
  }

  private async reconnect(proxy: DatabaseProxy, milliseconds: number): Promise<void> {
    await sleep(milliseconds);
    await proxy.giveBack();
    this.isCut = false;
  }

  async mustHaveCountedUsage(): Promise<void> {
    for (const worker of this.workers.filter(({ speaks }) => speaks)) {
      const heard = tokensHeardBy(worker, this.graph.issues);
      expect(heard).toBeGreaterThan(0);
      const { body } = await service.owner.get<{ inputTokens: number }[]>(
        `/api/usage?agentId=${worker.agent.id}`,
      );
      expect(body.map(({ inputTokens }) => inputTokens)).toEqual([heard]);
    }
  }

  private async mustKeepToCapacity(): Promise<void> {
    for (const { agent } of this.workers) {
      const { body } = await service.owner.get(`/api/agents/${agent.id}`);
      expect(Number(body['activeIssues'])).toBeLessThanOrEqual(CAPACITY);
    }
  }

  private async giveToAnother(issue: Issue): Promise<void> {
    const { agent } = this.workers.find(
      ({ agent: one, speaks }) => speaks && one.id !== issue.assignedAgentId,
    )!;
    await service.owner.put(`/api/projects/issues/${issue.id}`, { assignedAgentId: agent.id });
  }

  private workerOf({ assignedAgentId }: Issue): Worker {
    return this.workers.find(({ agent }) => agent.id === assignedAgentId)!;
  }

  /** Returns an issue that a runner works on which is not cut off. */
  private running(matches: (worker: Worker) => boolean): Promise<Issue> {
    const isFit = (worker: Worker) => matches(worker) && !(this.isCut && worker.runner === runners[2]);
    return until(async () => {
      const issues = await this.graph.now();
      return issues.find((issue) => issue.status === 'InProgress' && isFit(this.workerOf(issue)));
    });
  }
}

function isKilled(pid: number): boolean {
  try {
    return process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
    return false;
  }
}

/** Kills a service process. The next one listens at the same address, which the runners know. */
async function restart(one: Service): Promise<void> {
  const { port } = new URL(one.baseUrl);
  await one.kill();
  await sleep(LEASE * 200);
  await one.start({ PORT: port });
}
