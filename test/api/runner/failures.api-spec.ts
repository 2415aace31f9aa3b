import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import type { RunResponse } from '../../../src/work/runs/run.dto.js';
import { anAgent, type Issue } from '../../support/builders.js';
import { RunnerWorld } from '../../support/runner-world.js';
import { scripted } from '../../support/runner.js';
import { useService } from '../../support/service.js';
import { hasSmallDisks, SmallDisk } from '../../support/small-disk.js';
import { until } from '../../support/until.js';
import type { Wire } from '../../support/wire.js';

const isFull = process.env['TEST_SIZE'] === 'full';
/** The runner waits ten seconds for an agent that ignores its signals. */
const itInFull = isFull ? it : it.skip;
const service = useService({ settings: { LEASE_SECONDS: '30' } });

const newestRun = async (issue: Issue) =>
  (await service.owner.get<Wire<RunResponse>[]>(`/api/projects/issues/${issue.id}/runs`)).body[0]!;
const explained = async (issue: Issue) =>
  (await service.owner.get<{ reason: string }>(`/api/projects/issues/${issue.id}/explain`)).body.reason;
const peakMegabytes = (pid: number) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
const commentOf = (world: RunnerWorld, issue: Issue) => until(async () => (await world.comments(issue))[0]);

describe('a run that a person follows', () => {
  it('shows its turn, session, last lines, usage and log while it lasts, and why it stopped', async () => {
    const world = await RunnerWorld.of(service);
    const issue = await world.issue(['say reading the page', 'usage 100 20', 'until go', 'say done']);
    world.runner.start();
    const run = await until(async () => {
      const newest = await newestRun(issue);
      return newest?.output ? newest : null;
    });
    expect(run).toMatchObject({
      agent: { id: world.agent.id },
      state: 'running',
      turns: 1,
      output: 'reading the page',
    });
    expect(run.session).toMatch(/^[\w-]{36}$/);
    world.runner.write('bot', issue.key, 'go');
    await world.becomes(issue, 'Resolved');
    const ended = await until(async () => {
      const newest = await newestRun(issue);
      return newest.state === 'stopped' ? newest : null;
    });
    expect(ended).toMatchObject({ tokens: 120, stopped: 'The agent ended its turn.' });
    expect(ended.logId).not.toBeNull();
  });

  it('shows text that the service would refuse: control characters, and halves of characters', async () => {
    const world = await RunnerWorld.of(service, {
      command: ['/bin/sh', '-c', `printf '\\033[31mred\\0 '; yes 🦊 | head -n 20000`],
    });
    const issue = await world.issue([]);
    world.runner.start();
    await world.becomes(issue, 'Resolved');
    expect(await commentOf(world, issue)).toMatch(
      /^(\uFFFD?\n?🦊\n?)+\n\n---\nThe command ended with code 0/u,
    );
  });
});

describe('an agent that misbehaves', () => {
  itInFull('frees its slot and ends although it ignores cancel and SIGTERM', async () => {
    const world = await RunnerWorld.of(service);
    const [hanging, next] = [await world.issue(['hang']), await world.issue(['say next'])];
    world.runner.start();
    await world.prompts(hanging, 1);
    const other = await anAgent(service.owner);
    await service.owner.put(`/api/projects/issues/${hanging.id}`, { assignedAgentId: other.id });
    await world.becomes(next, 'Resolved');
    expect((await newestRun(hanging)).stopped).toBe('reassigned');
    expect(await explained(hanging)).toBe('agent_never_seen');
    await until(async () => {
      const { body } = await service.owner.get(`/api/agents/${world.agent.id}`);
      return Number(body['activeIssues']) === 0;
    });
  });

  it('goes to a person when it is updated underneath and has forgotten the session or the protocol', async () => {
    const world = await RunnerWorld.of(service, { acp: ['/bin/sh', './agent.sh'] });
    const program = join(world.runner.folder, 'agent.sh');
    const install = (flags: string) =>
      writeFileSync(program, `exec '${scripted().join("' '")}' ${flags}\n`, { mode: 0o755 });
    world.runner.configure(service.baseUrl, { acp: ['/bin/sh', program] });
    install('');
    const issue = await world.issue(['until go', 'say done']);
    world.runner.start();
    await world.prompts(issue, 1);
    install('--forget');
    await service.owner.post(`/api/projects/issues/${issue.id}/pause`);
    world.runner.write('bot', issue.key, 'go');
    await until(() => /parked: paused/.test(world.runner.output));
    await service.owner.post(`/api/projects/issues/${issue.id}/resume`);
    await world.becomes(issue, 'Resolved');
    expect(world.runner.heard('bot', issue.key).at(-1)?.prompt).toContain('>> until go');
    install('--no-http');
    const later = await world.issue(['say never']);
    expect(await commentOf(world, later)).toMatch(/takes no MCP servers over HTTP/);
    expect(await world.read(later)).toMatchObject({ status: 'Open', attempts: 1 });
    expect(await explained(later)).toBe('given_back');
    writeFileSync(program, 'exec /nonexistent/agent');
    const last = await world.issue(['say never']);
    expect(await commentOf(world, last)).toMatch(/The agent ended with code 127\.[^]*not found/);
  });

  it('is ended when it floods its output, in messages, in one line without end, or on standard error', async () => {
    const size = isFull ? 1024 : 48;
    const world = await RunnerWorld.of(service, { capacity: 3, limits: { output_mb: size / 2 } });
    const issues: [Issue, RegExp][] = [];
    for (const [step, words] of [
      ['flood', /wrote more than/],
      ['junk', /wrote more than|broke the protocol/],
      ['errors', /wrote more than/],
    ] as const)
      issues.push([await world.issue([`${step} ${size}`, 'say never']), words]);
    world.runner.start();
    for (const [issue, words] of issues) expect(await commentOf(world, issue)).toMatch(words);
    expect(peakMegabytes(world.runner.pid)).toBeLessThan(400);
  });

  // Of the rules of the normal form, parts.spec has the end of a log, and the flood above the memory.
  itInFull('may write much within its limit: memory and log stay small', async () => {
    const size = isFull ? 1024 : 48;
    const world = await RunnerWorld.of(service, { limits: { output_mb: size * 2 } });
    const issue = await world.issue([`flood ${size}`, 'say done']);
    world.runner.start();
    await until(async () => (await world.read(issue)).status === 'Resolved', 300);
    expect(peakMegabytes(world.runner.pid)).toBeLessThan(400);
    const log = join(world.runner.root, 'bot/.runs', `${issue.key}.jsonl`);
    expect(readFileSync(log).length).toBeLessThan(17 * 2 ** 20);
    expect((await newestRun(issue)).logId).not.toBeNull();
  });
});

describe('a host that misbehaves', () => {
  it('has a clock that jumps by hours: no turn is late, and no agent silent', async () => {
    const clock = pathToFileURL(resolve(import.meta.dirname, '../../support/jumping-clock.mjs'));
    const world = await RunnerWorld.of(service, {}, { env: { NODE_OPTIONS: `--import=${clock.href}` } });
    const issue = await world.issue(['sleep 3', 'say done']);
    world.runner.start();
    await world.becomes(issue, 'Resolved');
    expect(await commentOf(world, issue)).toMatch(/^done[^]*The agent ended its turn\. \(\d+s, 1 turn/);
  });

  (hasSmallDisks ? it : it.skip)(
    'has a full disk: the issue is given back with the reason, and work under way is reported',
    async () => {
      const disk = SmallDisk.of(8);
      const world = await RunnerWorld.of(
        service,
        { command: ['/bin/sh', '-c', 'test -f /proc/self/stat && sleep 1 && echo done'] },
        { root: disk.folder },
      );
      try {
        world.runner.start();
        await until(() => world.runner.output.includes('works for'));
        await disk.fill();
        const refused = await world.issue([]);
        expect(await commentOf(world, refused)).toMatch(/ENOSPC/);
        expect(await world.read(refused)).toMatchObject({ status: 'Open', attempts: 1 });
        expect(await explained(refused)).toBe('given_back');
        disk.clear();
        const running = await world.issue([]);
        await until(() => existsSync(world.runner.in('bot', running.key, '.awp/brief.md')));
        await disk.fill();
        await world.becomes(running, 'Resolved');
        expect(await commentOf(world, running)).toMatch(/^done\n/);
      } finally {
        await world.runner.remove();
        disk.remove();
      }
    },
  );

  it('cannot clone the repository: after three issues the agent takes no more, and each says why', async () => {
    const world = await RunnerWorld.of(service, { git: { repo: './missing' } });
    const issues = [await world.issue(['say a']), await world.issue(['say b']), await world.issue(['say c'])];
    world.runner.start();
    await until(() => world.runner.output.includes('is failing: git ended with code 128.'));
    for (const issue of issues) {
      expect(await commentOf(world, issue)).toMatch(/git ended with code 128[^]*missing/);
      expect((await newestRun(issue)).stopped).toMatch(/^git ended with code 128\./);
    }
    // The runner writes that the agent is failing before it tells the service.
    await until(async () => (await explained(issues[0]!)) === 'agent_failing');
    expect(await Promise.all(issues.map(explained))).toEqual(['agent_failing', 'agent_failing', 'in_review']);
    expect((await newestRun(issues[2]!)).stopped).toContain('takes no more work');
  });
});
