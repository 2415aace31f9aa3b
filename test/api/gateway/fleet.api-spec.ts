import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  AgentTodayResponse,
  FleetAgentResponse,
  FleetResponse,
} from '../../../src/gateway/fleet/fleet.dto.js';
import type { UsageResponse } from '../../../src/work/usage/usage.dto.js';
import { anIssue, aProject, createdBy, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAdmin, asAgent, asViewer } from '../../support/callers.js';
import { createDatabase } from '../../support/postgres.mjs';
import { notFound, refused } from '../../support/refusal.js';
import { startService, useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import type { Wire } from '../../support/wire.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { StatementCounter } from '../work/issues/statement-counter.js';
import { type Held, leasesOf, pickUp, putHeld, sendHeartbeat, takeTurn } from './heartbeat-requests.js';
import { clientKinds, closeClients, connect } from './mcp-clients.js';
import { grant, installed, type Installed } from './mcp-setting.js';

type Fleet = Wire<FleetResponse>;
type Row = Wire<FleetAgentResponse>;
type Today = Wire<AgentTodayResponse>;

const catalog = new LocalCatalog().stdio('polite', ['misbehaving.mjs', 'polite']);
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(() => catalog.remove());
afterEach(closeClients);

let project: Project;
let polite: Installed;
let agent: Caller;
let issue: Issue;
beforeAll(async () => {
  project = await aProject(service.owner);
  polite = await installed(service, 'polite');
});
beforeEach(async () => {
  agent = await asAgent(service);
  issue = await anIssue(service.owner, project, { assignedAgentId: agent.id });
});

const read = async <Body>(caller: Caller, path: string): Promise<Body> => {
  const answer = await caller.get<Body>(path);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
};
const fleet = (caller = service.owner, query = '') => read<Fleet>(caller, `/api/fleet${query}`);
const rowIn = ({ agents }: Fleet): Row => agents.find(({ id }) => id === agent.id)!;
const row = async (caller = service.owner, query = '') => rowIn(await fleet(caller, query));
const today = (caller = service.owner, query = '', id = agent.id) =>
  read<Today>(caller, `/api/agents/${id}/today${query}`);

const aReport = (issueId: string | null, costMicros: number) => ({
  ...{ reportId: randomUUID(), inputTokens: 1_000, outputTokens: 100, costMicros },
  ...(issueId !== null && { issueId }),
});
/** Takes a turn that costs something. What the service counts itself arrives in batches. */
async function spend(held: Held, costMicros: number): Promise<void> {
  const { turns } = (await row()).usage;
  await takeTurn(agent, { ...held, usage: [aReport(held.issueId, costMicros)] });
  await until(async () => (await row()).usage.turns > turns);
}
/** Calls a tool that the agent has, and one that it has not. */
async function call(): Promise<void> {
  await grant(service, polite, agent, ['echo']);
  const client = await connect(agent, clientKinds[1]);
  for (const tool of ['echo', 'wait']) await client.call(`${polite.slug}__${tool}`).catch(() => null);
  await until(async () => {
    const { calls, usage } = (await today()).sums;
    return calls === 2 && usage.toolCalls === 1;
  });
}
/** Asks a person on an issue of the agent, which then waits. */
const ask = (of: Issue, question: string) =>
  createdBy(agent, `/api/projects/issues/${of.id}/gates`, { question });
const sum = <Item>(items: readonly Item[], of: (item: Item) => number) =>
  items.reduce((total, item) => total + of(item), 0);

describe('GET /api/fleet', () => {
  it('shows what an agent works on, with the last line of its output, and what it has done and spent', async () => {
    await service.owner.put(`/api/agents/${agent.id}/budget`, { costMicros: 5_000_000, period: 'day' });
    const done = await pickUp(agent, issue);
    await spend(done, 1_500_000);
    await call();
    expect((await putHeld(agent, done, { status: 'Resolved' })).status).toBe(200);
    const next = await anIssue(service.owner, project, { assignedAgentId: agent.id });
    const held = await pickUp(agent, next);
    const output = `Reading.\n  Writing ${'x'.repeat(300)}\n \r\n`;
    await agent.put(`/api/projects/issues/${next.id}/run`, { token: held.token, output });
    await ask(await anIssue(service.owner, project, { assignedAgentId: agent.id }), 'Which one?');
    const { usage, activity, ...seen } = await row();
    expect(seen).toEqual({
      ...{ id: agent.id, name: agent.name, description: '', maxConcurrentIssues: 10, disabled: false },
      ...{ lastHeartbeatAt: expect.any(String), activeIssues: 1, failing: null },
      why: { reason: 'running', sentence: expect.any(String) },
      current: {
        ...{ id: next.id, key: next.key, title: next.title, since: expect.any(String) },
        line: `  Writing ${'x'.repeat(190)}`,
      },
      ...{ finished: 1, toolErrors: 1, waiting: 1 },
      budget: {
        ...{ period: 'day', stopped: false },
        used: expect.objectContaining({ costMicros: 1_500_000, turns: 1, toolCalls: 1 }),
        limits: { tokens: null, costMicros: 5_000_000, turns: null, toolCalls: null, wallSeconds: null },
      },
    });
    expect(usage).toMatchObject({ costMicros: 1_500_000, inputTokens: 1_000, turns: 1, toolCalls: 1 });
    expect(activity).toHaveLength(24);
    expect(activity.at(-1)).toBe(2);
  });

  it('names of several issues the one whose worker reported last', async () => {
    const other = await anIssue(service.owner, project, { assignedAgentId: agent.id });
    const held = leasesOf(await sendHeartbeat(agent));
    expect(held).toHaveLength(2);
    const report = ({ issueId, token }: Held) =>
      agent.put(`/api/projects/issues/${issueId}/run`, { token, output: issueId });
    for (const { id } of [issue, other, issue]) {
      await report(held.find(({ issueId }) => issueId === id)!);
      expect(await row()).toMatchObject({ activeIssues: 2, current: { id, line: id } });
    }
  });

  it('has the sums of its rows', async () => {
    const [second, third] = [await asAgent(service), await asAgent(service)];
    await service.owner.put(`/api/agents/${second.id}`, { disabled: true });
    await sendHeartbeat(third);
    await spend(await pickUp(agent, issue), 70_000);
    const { sums, agents } = await fleet();
    const counts = (...reasons: string[]) => agents.filter(({ why }) => reasons.includes(why.reason)).length;
    expect(sums).toEqual({
      agents: agents.length,
      atWork: counts('running', 'agent_full'),
      idle: counts('ready'),
      stopped: counts('agent_disabled', 'halted', 'budget', 'agent_failing'),
      silent: counts('agent_silent', 'agent_never_seen'),
      ...Object.fromEntries(
        (['waiting', 'finished', 'toolErrors'] as const).map((name) => [
          name,
          sum(agents, (one) => one[name]),
        ]),
      ),
      usage: Object.fromEntries(
        Object.keys(sums.usage).map((name) => [
          name,
          sum(agents, ({ usage }) => usage[name as keyof typeof usage]),
        ]),
      ),
    });
    expect(sums.atWork + sums.idle + sums.stopped + sums.silent).toBe(sums.agents);
    expect(sums).toMatchObject({ stopped: 1 });
    expect((await read<unknown[]>(service.owner, '/api/agents')).length).toBe(sums.agents);
  });

  it('counts from a whole hour on, and nothing of before', async () => {
    const held = await pickUp(agent, issue);
    await spend(held, 1_000_000);
    expect((await putHeld(agent, held, { status: 'Resolved' })).status).toBe(200);
    await call();
    // The time of the lease reaches the sums in batches too, and would be of the present hour.
    await until(async () => {
      const open = await service.sql('SELECT 1 FROM issue_leases WHERE issue_id = $1 AND wall_ms > 0', [
        issue.id,
      ]);
      return open.length === 0;
    });
    // Three hours ago, in every table; the journal refuses changes while its triggers are on.
    const past = `now() - interval '3 hours'`;
    await service.sql(`UPDATE usage_hours SET hour = date_trunc('hour', ${past}) WHERE agent_id = $1`, [
      agent.id,
    ]);
    await service.sql(`UPDATE tool_calls SET called_at = ${past} WHERE agent_id = $1`, [agent.id]);
    await service.sql('ALTER TABLE journal DISABLE TRIGGER journal_append_only');
    await service.sql(`UPDATE journal SET created_at = ${past} WHERE actor_id = $1`, [agent.id]);
    await service.sql('ALTER TABLE journal ENABLE TRIGGER journal_append_only');
    const hours = (ago: number) => new Date(Date.now() - ago * 3_600_000);
    const since = (ago: number) => `?since=${hours(ago).toISOString()}`;
    const begun = { ...{ finished: 1, toolErrors: 1 }, usage: { costMicros: 1_000_000, turns: 1 } };
    expect(await row(service.owner, since(4))).toMatchObject(begun);
    expect((await today(service.owner, since(4))).sums).toMatchObject({ pickedUp: 1, ...begun });
    const none = { ...{ finished: 0, toolErrors: 0 }, usage: { costMicros: 0, turns: 0 } };
    const later = await fleet(service.owner, since(1));
    expect(rowIn(later)).toMatchObject(none);
    expect(rowIn(later).activity.slice(-4)).toEqual([2, 0, 0, 0]);
    expect(later.since).toBe(new Date(Math.floor(hours(1).getTime() / 3_600_000) * 3_600_000).toISOString());
    expect((await today(service.owner, since(1))).sums).toMatchObject({ issues: 0, pickedUp: 0, ...none });
  });

  it('counts from midnight in UTC on where nothing is said', async () => {
    const midnight = `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;
    expect((await fleet()).since).toBe(midnight);
    expect((await today()).since).toBe(midnight);
  });

  it.each([
    ['in the future', () => new Date(Date.now() + 60_000).toISOString()],
    ['more than a week ago', () => new Date(Date.now() - 7 * 86_400_000 - 60_000).toISOString()],
    ['no instant', () => 'yesterday'],
  ])('refuses a beginning that is %s', async (_, since) => {
    for (const path of ['/api/fleet', `/api/agents/${agent.id}/today`])
      expect(await service.owner.get(`${path}?since=${since()}`)).toMatchObject(
        refused(400, 'validation_failed', 'since'),
      );
  });

  it('is for users alone', async () => {
    expect(await agent.get('/api/fleet')).toMatchObject(refused(403, 'forbidden'));
  });
});

describe('GET /api/agents/{agentId}/today', () => {
  it('lists what was done by issue, the latest first, and the sums are those of the rows', async () => {
    const [second, third] = [
      await anIssue(service.owner, project, { assignedAgentId: agent.id }),
      await anIssue(service.owner, project, { assignedAgentId: agent.id }),
    ];
    await ask(third, 'Which one?');
    const held = leasesOf(await sendHeartbeat(agent, { usage: [aReport(null, 30_000)] }));
    const of = ({ id }: Issue) => held.find(({ issueId }) => issueId === id)!;
    await spend(of(second), 200_000);
    await putHeld(agent, of(second), { status: 'PendingReview' });
    await spend(of(issue), 1_000_000);
    const { sums, issues, asked } = await today();
    expect(issues.map(({ issueId }) => issueId)).toEqual([second.id, issue.id, third.id, null]);
    expect(issues).toMatchObject([
      { finishedAt: expect.any(String), finishedAs: 'PendingReview', usage: { costMicros: 200_000 } },
      {
        issue: { key: issue.key, title: issue.title, status: 'InProgress' },
        ...{ pickedUpAt: expect.any(String), finishedAt: null, finishedAs: null, asked: 0 },
        usage: { costMicros: 1_000_000, turns: 1 },
      },
      { asked: 1, pickedUpAt: null, usage: { costMicros: 0 } },
      { issue: null, pickedUpAt: null, finishedAt: null, usage: { costMicros: 30_000, turns: 0 } },
    ]);
    expect(asked).toMatchObject([
      { kind: 'question', title: 'Which one?', state: 'open', issueKey: third.key },
    ]);
    expect(sums).toMatchObject({ issues: 3, pickedUp: 2, finished: 1, asked: 1, calls: 0, toolErrors: 0 });
    for (const [name, value] of Object.entries(sums.usage))
      expect(value).toBe(sum(issues, ({ usage }) => usage[name as keyof typeof usage]));
    const [counted] = await read<Wire<UsageResponse>[]>(service.owner, `/api/usage?agentId=${agent.id}`);
    // The time of the lease that is still held grows, and is rounded for each issue.
    const { wallSeconds: _, ...figures } = sums.usage;
    expect(counted).toMatchObject(figures);
    expect(await row()).toMatchObject({ usage: figures, finished: sums.finished });
  });

  it('names the tools that were called for an issue, and what failed', async () => {
    await pickUp(agent, issue);
    await call();
    const { sums, issues } = await today();
    const server = polite.name;
    expect(issues).toMatchObject([{ issueId: issue.id, calls: 2, toolErrors: 1 }]);
    expect(issues[0]!.tools).toEqual(
      expect.arrayContaining([
        { server, tool: 'echo', calls: 1, errors: 0 },
        { server, tool: 'wait', calls: 1, errors: 1 },
      ]),
    );
    expect(sums).toMatchObject({ calls: 2, toolErrors: 1, usage: { toolCalls: 1 } });
  });

  it('counts calls without an issue and does not name their tools', async () => {
    await call();
    expect((await today()).issues).toMatchObject([{ issueId: null, calls: 2, toolErrors: 1, tools: [] }]);
  });

  it('counts an issue once that was finished twice, and keeps one that was deleted', async () => {
    const held = await pickUp(agent, issue);
    await putHeld(agent, held, { status: 'Resolved' });
    await service.owner.put(`/api/projects/issues/${issue.id}`, { status: 'Open' });
    await putHeld(agent, await pickUp(agent, issue), { status: 'PendingReview' });
    await service.owner.delete(`/api/projects/issues/${issue.id}?confirm=true`);
    const { sums, issues } = await today();
    expect(sums).toMatchObject({ issues: 1, pickedUp: 1, finished: 1 });
    expect(issues).toMatchObject([{ issueId: issue.id, issue: null, finishedAs: 'PendingReview' }]);
    expect(await row()).toMatchObject({ finished: 1 });
  });

  it('is readable by the agent itself, and by no other agent', async () => {
    await pickUp(agent, issue);
    expect(await today(agent, '', 'me')).toEqual(await today(agent));
    expect((await today(agent)).sums.pickedUp).toBe(1);
    const other = await asAgent(service);
    expect(await other.get(`/api/agents/${agent.id}/today`)).toMatchObject(refused(403, 'forbidden'));
    expect(await service.owner.get(`/api/agents/${randomUUID()}/today`)).toMatchObject(notFound);
  });
});

describe('to people who do not see a project', () => {
  it('the fleet and a day say nothing of it, and the budget is for Admins', async () => {
    const hidden = await aProject(service.owner, { visibility: 'members' });
    const member = await asViewer(service);
    await service.owner.put(`/api/projects/${hidden.id}/members`, {
      entries: [
        { agentId: agent.id, role: 'Editor' },
        { userId: member.id, role: 'Viewer' },
      ],
    });
    await service.owner.delete(`/api/projects/issues/${issue.id}?confirm=true`);
    const inside = await anIssue(service.owner, hidden, { assignedAgentId: agent.id });
    const ended = await anIssue(service.owner, hidden, { assignedAgentId: agent.id });
    await ask(await anIssue(service.owner, hidden, { assignedAgentId: agent.id }), 'A secret?');
    await service.owner.put(`/api/agents/${agent.id}/budget`, { costMicros: 50_000_000, period: 'day' });
    const leases = leasesOf(await sendHeartbeat(agent));
    const held = (of: Issue) => leases.find(({ issueId }) => issueId === of.id)!;
    await spend(held(inside), 4_200_000);
    await putHeld(agent, held(ended), { status: 'Resolved' });
    await call();
    await agent.put(`/api/projects/issues/${inside.id}/run`, {
      token: held(inside).token,
      output: 'A secret.',
    });

    const viewer = await asViewer(service);
    const nothing = { finished: 0, toolErrors: 0, usage: { costMicros: 0, turns: 0, toolCalls: 0 } };
    const seen = await row(viewer);
    expect(seen).toMatchObject({ activeIssues: 0, current: null, waiting: 0, budget: null, ...nothing });
    expect(sum(seen.activity, (amount) => amount)).toBe(0);
    const day = await today(viewer);
    expect(day).toMatchObject({
      sums: { issues: 0, pickedUp: 0, asked: 0, calls: 0, ...nothing },
      budget: null,
    });
    expect(day).toMatchObject({ issues: [], asked: [] });
    expect(JSON.stringify([seen, day])).not.toMatch(new RegExp(`secret|${hidden.key}|${inside.id}`));
    const sums = async (caller: Caller) => (await fleet(caller)).sums.usage.costMicros;
    expect((await sums(service.owner)) - (await sums(viewer))).toBeGreaterThanOrEqual(4_200_000);

    const all = { finished: 1, toolErrors: 1, usage: { costMicros: 4_200_000, turns: 1, toolCalls: 1 } };
    for (const caller of [member, await asAdmin(service), service.owner]) {
      const current = { key: inside.key, line: 'A secret.' };
      expect(await row(caller)).toMatchObject({ activeIssues: 1, current, waiting: 1, ...all });
      expect((await today(caller)).sums).toMatchObject({ issues: 3, pickedUp: 2, asked: 1, ...all });
    }
    expect(await row(member)).toMatchObject({ budget: null });
    expect(await today(member)).toMatchObject({ budget: null });
    expect(await today()).toMatchObject({ budget: { used: { costMicros: 4_200_000 } } });
  });

  it('calls and work on a deleted issue of it stay hidden', async () => {
    const hidden = await aProject(service.owner, { visibility: 'members' });
    await service.owner.put(`/api/projects/${hidden.id}/members`, {
      entries: [{ agentId: agent.id, role: 'Editor' }],
    });
    await service.owner.delete(`/api/projects/issues/${issue.id}?confirm=true`);
    const inside = await anIssue(service.owner, hidden, { assignedAgentId: agent.id });
    await pickUp(agent, inside);
    await call();
    await service.owner.delete(`/api/projects/issues/${inside.id}?confirm=true`);
    const viewer = await asViewer(service);
    expect((await today(viewer)).sums).toMatchObject({ issues: 0, pickedUp: 0, calls: 0 });
    expect(await row(viewer)).toMatchObject({ toolErrors: 0 });
    expect((await today()).sums).toMatchObject({ issues: 1, pickedUp: 1, calls: 2 });
  });
});

/** Allows for statements of the service's own (last use of a key, sweeps). One per agent would be 1,000. */
const BESIDE = 10;

describe('a fleet of a thousand agents', () => {
  it('takes as many statements as one of a single agent', async () => {
    const database = await createDatabase();
    const counter = await StatementCounter.before(database.url);
    const large = await startService({ database: { url: counter.url } });
    try {
      const made = (agents: number) =>
        large.sql(
          `WITH made AS (INSERT INTO agents (id, name) SELECT gen_random_uuid(), 'agent ' || n FROM generate_series(1, $1::int) n RETURNING id),
             used AS (INSERT INTO usage_hours (hour, agent_id, turns, cost_micros) SELECT date_trunc('hour', now(), 'UTC'), id, 1, 1000 FROM made)
           INSERT INTO budgets (scope, scope_id, period, turns) SELECT 'agent', id, 'day', 10 FROM made`,
          [agents],
        );
      const statements = () => counter.leastDuring(() => fleet(large.owner));
      await made(1);
      const few = await statements();
      await made(999);
      expect(await statements()).toBeLessThan(few + BESIDE);
      expect((await fleet(large.owner)).sums).toMatchObject({
        ...{ agents: 1_000, silent: 1_000 },
        usage: { turns: 1_000, costMicros: 1_000_000 },
      });
    } finally {
      await large.remove();
      await counter.close();
      await database.drop();
    }
  });
});
