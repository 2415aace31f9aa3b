import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AgentResponse } from '../../../src/agents/agent.dto.js';
import type { UsageResponse } from '../../../src/work/usage/usage.dto.js';
import { anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asViewer } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import type { Wire } from '../../support/wire.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { pickUp, sendHeartbeat, takeTurn } from './heartbeat-requests.js';
import { clientKinds, closeClients, connect } from './mcp-clients.js';
import { grant, installed } from './mcp-setting.js';

type Row = Wire<UsageResponse>;

const catalog = new LocalCatalog().stdio('polite', ['misbehaving.mjs', 'polite']);
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(() => catalog.remove());
afterEach(closeClients);

let project: Project;
let agent: Caller;
let issue: Issue;
beforeAll(async () => void (project = await aProject(service.owner)));
beforeEach(async () => {
  agent = await asAgent(service);
  issue = await anIssue(service.owner, project, { assignedAgentId: agent.id });
});

const aReport = (fields: Record<string, unknown> = {}) => ({
  reportId: randomUUID(),
  inputTokens: 100,
  outputTokens: 10,
  ...fields,
});
const usage = async (query: string, caller = service.owner) => {
  const answer = await caller.get<Row[]>(`/api/usage?agentId=${agent.id}&${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
};
const onlyRow = async (query = '') => (await usage(query))[0];

describe('usage in requests of agents', () => {
  it('sums reports of heartbeat, turn and finish to the token', async () => {
    const { token } = await pickUp(agent, issue);
    const figures = { cacheReadTokens: 7, cacheWriteTokens: 3, costMicros: 1_234_567 };
    await sendHeartbeat(agent, { capacity: 0, usage: [aReport({ ...figures, issueId: issue.key })] });
    await takeTurn(agent, { issueId: issue.id, token, usage: [aReport(), aReport({ model: 'large' })] });
    const finished = await agent.post(`/api/projects/issues/${issue.id}/finish`, {
      token,
      status: 'Resolved',
      usage: [aReport({ inputTokens: 999_999_999_999 })],
    });
    expect(finished.status).toBe(200);
    expect(await onlyRow('groupBy=issue')).toMatchObject({
      key: issue.id,
      label: `${issue.key} ${issue.title}`,
      inputTokens: 1_000_000_000_299,
      outputTokens: 40,
      ...figures,
    });
    expect(await usage('groupBy=model')).toMatchObject([
      { key: null, label: null, outputTokens: 30 },
      { key: 'large', label: 'large', inputTokens: 100 },
    ]);
  });

  it('goes on where a sum is as large as it can be, and stops counting', async () => {
    const report = () =>
      sendHeartbeat(agent, { capacity: 0, usage: [aReport({ costMicros: 5, issueId: issue.id })] });
    await report();
    const largest = 'cost_micros = 9223372036854775807';
    await service.sql(`UPDATE usage_totals SET ${largest} WHERE scope_id = $1`, [agent.id]);
    await service.sql(`UPDATE usage_hours SET ${largest} WHERE agent_id = $1`, [agent.id]);
    await report();
    expect(await onlyRow('groupBy=issue')).toMatchObject({
      costMicros: 8_000_000_000_000_005,
      inputTokens: 200,
    });
    expect((await service.owner.get(`/api/agents/${agent.id}`)).status).toBe(200);
  });

  it('counts a report once that arrives 100 times at once, in two processes', async () => {
    const second = await service.second();
    const report = aReport({ issueId: issue.id });
    await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        sendHeartbeat(at % 2 ? agent : agent.at(second), { capacity: 0, usage: [report, report] }),
      ),
    );
    expect(await onlyRow()).toMatchObject({ inputTokens: 100, outputTokens: 10 });
  });

  it('counts the report of a finish that is refused, and the repetition not again', async () => {
    await pickUp(agent, issue);
    const body = { token: 999, status: 'Resolved', usage: [aReport()] };
    for (const expected of [409, 409])
      expect((await agent.post(`/api/projects/issues/${issue.id}/finish`, body)).status).toBe(expected);
    expect(await onlyRow('groupBy=issue')).toMatchObject({ key: issue.id, inputTokens: 100 });
  });

  it("counts a report for another agent's issue for the agent alone", async () => {
    const other = await anIssue(service.owner, project);
    await sendHeartbeat(agent, { usage: [aReport({ issueId: other.id }), aReport({ issueId: 'NONE-7' })] });
    expect(await usage('groupBy=issue')).toMatchObject([{ key: null, inputTokens: 200 }]);
    expect((await service.owner.get<Row[]>(`/api/usage?issueId=${other.key}`)).body).toEqual([]);
  });

  it.each([
    ['a negative figure', { inputTokens: -1 }],
    ['a fraction', { costMicros: 0.5 }],
    ['a report id that is no UUID', { reportId: 'x' }],
  ])('refuses %s and counts nothing', async (_, wrong) => {
    const answer = await agent.post('/api/agents/me/heartbeat', { usage: [aReport(), aReport(wrong)] });
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ path: `usage[1].${Object.keys(wrong)[0]}` }] },
    });
    expect(await usage('')).toEqual([]);
  });

  it('refuses a list in place of a report', async () => {
    expect(await agent.post('/api/agents/me/heartbeat', { usage: [[]] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'usage[0]', message: 'must not be a list' }] },
    });
  });
});

describe('what the service counts itself', () => {
  it('counts turns, and those without a report as unreported', async () => {
    const { token } = await pickUp(agent, issue);
    const turn = (fields: object) => takeTurn(agent, { issueId: issue.id, token, ...fields });
    await turn({});
    await turn({});
    await turn({ usage: [aReport()] });
    await until(async () => (await onlyRow('groupBy=issue'))?.turns === 3);
    expect(await onlyRow('groupBy=issue')).toMatchObject({ turns: 3, unreportedTurns: 1 });
    await turn({});
    await sendHeartbeat(agent, { capacity: 0, usage: [aReport({ issueId: issue.id })] });
    await until(async () => (await onlyRow('groupBy=issue'))?.turns === 4);
    expect(await onlyRow('groupBy=issue')).toMatchObject({ turns: 4, unreportedTurns: 1 });
  });

  it('counts tool calls that were made, and not those that were refused', async () => {
    const server = await installed(service, 'polite');
    await grant(service, server, agent, ['echo']);
    await pickUp(agent, issue);
    const client = await connect(agent, clientKinds[1]);
    for (const tool of ['echo', 'echo', 'wait'])
      await client.call(`${server.slug}__${tool}`).catch(() => null);
    await client.call('platform__my_issues');
    await until(async () => (await onlyRow('groupBy=issue'))?.toolCalls === 2);
    expect(await onlyRow('groupBy=agent')).toMatchObject({ key: agent.id, label: agent.name, toolCalls: 2 });
  });

  it('counts the time of a lease up to its end', async () => {
    const { token } = await pickUp(agent, issue);
    await service.sql(
      `UPDATE issue_leases SET measured_at = measured_at - interval '90 seconds' WHERE issue_id = $1`,
      [issue.id],
    );
    await agent.post(`/api/projects/issues/${issue.id}/release`, { token });
    await until(async () => ((await onlyRow('groupBy=issue'))?.wallSeconds ?? 0) >= 90);
    expect((await onlyRow('groupBy=issue'))!.wallSeconds).toBeLessThan(200);
  });

  it('does not count the time after a lease ran out', async () => {
    const { token } = await pickUp(agent, issue);
    await service.sql(
      `UPDATE issue_leases SET measured_at = now() - interval '1 hour', expires_at = now() - interval '50 minutes'
       WHERE issue_id = $1`,
      [issue.id],
    );
    await sendHeartbeat(agent, { leases: [{ issueId: issue.id, token }], capacity: 0 });
    await until(async () => ((await onlyRow('groupBy=issue'))?.wallSeconds ?? 0) > 0);
    expect((await onlyRow('groupBy=issue'))!.wallSeconds).toBe(600);
  });
});

describe('GET /api/usage', () => {
  it('returns to a Viewer and an agent what they see', async () => {
    const hidden = await aProject(service.owner, { visibility: 'members' });
    await service.owner.put(`/api/projects/${hidden.id}/members`, {
      entries: [{ agentId: agent.id, role: 'Editor' }],
    });
    const inside = await anIssue(service.owner, hidden, { assignedAgentId: agent.id });
    await sendHeartbeat(agent, { capacity: 0, usage: [aReport({ issueId: inside.id }), aReport()] });
    const viewer = await asViewer(service);
    const keys = async (caller: Caller) => (await usage('groupBy=project', caller)).map(({ key }) => key);
    expect(await keys(service.owner)).toEqual([null, hidden.id]);
    expect(await keys(agent)).toEqual([null, hidden.id]);
    expect(await keys(viewer)).toEqual([null]);
    expect(await keys(await asAgent(service))).toEqual([]);
    expect(await viewer.get(`/api/usage?projectId=${hidden.id}`)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'projectId' }] },
    });
  });

  it('groups by day, filters by time and pages by key', async () => {
    const models = ['c', 'a', 'b'];
    await sendHeartbeat(agent, { usage: models.map((model) => aReport({ model })) });
    const today = new Date().toISOString().slice(0, 10);
    expect(await usage('groupBy=day')).toMatchObject([{ key: today, label: today, inputTokens: 300 }]);
    expect(await usage('to=2020-01-01T00:00:00Z')).toEqual([]);
    const first = await service.owner.get<Row[]>(`/api/usage?agentId=${agent.id}&groupBy=model&limit=2`);
    expect(first.body.map(({ key }) => key)).toEqual(['a', 'b']);
    const next = /<(.*?)>/.exec(first.headers['link']!)![1]!;
    expect((await service.owner.get<Row[]>(next)).body.map(({ key }) => key)).toEqual(['c']);
  });

  it('keeps the usage of an issue that was deleted', async () => {
    await sendHeartbeat(agent, { capacity: 0, usage: [aReport({ issueId: issue.id })] });
    await service.owner.delete(`/api/projects/issues/${issue.id}?confirm=true`);
    expect(await usage(`groupBy=issue&issueId=${issue.id}`)).toMatchObject([
      { key: issue.id, label: null, inputTokens: 100 },
    ]);
  });
});

describe('agents and projects', () => {
  it('show of the work of an agent what the caller sees of it', async () => {
    const hidden = await aProject(service.owner, { visibility: 'members' });
    const [viewer, member] = [await asViewer(service), await asViewer(service)];
    const entries = [
      { agentId: agent.id, role: 'Editor' },
      { userId: member.id, role: 'Viewer' },
    ];
    await service.owner.put(`/api/projects/${hidden.id}/members`, { entries });
    const inside = await anIssue(service.owner, hidden, { assignedAgentId: agent.id });
    await sendHeartbeat(agent, {
      usage: [aReport({ issueId: inside.id, inputTokens: 4_242 }), aReport({ issueId: issue.id }), aReport()],
    });
    for (const { id } of [inside, issue]) await takeTurn(agent, { issueId: id });
    const reason = `The secret ${inside.title} does not compile.`;
    await sendHeartbeat(agent, { capacity: 0, worker: 'w1', failing: reason });

    type Agent = Wire<AgentResponse>;
    const seenBy = async (caller: Caller) => {
      const one = (await caller.get<Agent>(`/api/agents/${agent.id}`)).body;
      const all = (await caller.get<Agent[]>('/api/agents')).body;
      expect(all.find(({ id }) => id === agent.id)).toEqual(one);
      const { activeIssues, failing, usage: used } = one;
      const { inputTokens, turns } = used.month;
      expect(used.today).toEqual(used.month);
      return { activeIssues, reason: failing!.reason, inputTokens, turns };
    };
    // Turns are counted in batches, so one response may have what the one before it had not.
    await until(async () => {
      const { usage: used } = (await service.owner.get<Agent>(`/api/agents/${agent.id}`)).body;
      return used.month.turns === 2;
    });
    const whole = { activeIssues: 2, reason, inputTokens: 4_442, turns: 2 };
    expect(await seenBy(service.owner)).toEqual(whole);
    expect(await seenBy(member)).toEqual(whole);
    expect(await seenBy(viewer)).toEqual({
      activeIssues: 1,
      reason: 'A reason that only people who see all projects of the agent can read.',
      inputTokens: 200,
      turns: 1,
    });
    expect((await agent.get<Agent>('/api/agents/me')).body).toMatchObject({
      activeIssues: 2,
      failing: { reason },
    });
    const waiting = await anIssue(service.owner, project, { assignedAgentId: agent.id });
    expect((await viewer.get(`/api/projects/issues/${waiting.id}/explain`)).text).not.toContain(reason);
    expect((await member.get(`/api/projects/issues/${inside.id}/explain`)).body.reason).toBe('running');
    const next = await anIssue(service.owner, hidden, { assignedAgentId: agent.id });
    expect((await member.get(`/api/projects/issues/${next.id}/explain`)).text).toContain(reason);
  });

  it('count to the day in UTC, also for a caller from whom projects are hidden', async () => {
    await sendHeartbeat(agent, { capacity: 0, usage: [aReport()] });
    await service.sql(
      `INSERT INTO usage_hours (hour, agent_id, input_tokens)
       SELECT date_trunc('month', now(), 'UTC'), $1, 7 WHERE date_trunc('day', now(), 'UTC') > date_trunc('month', now(), 'UTC')`,
      [agent.id],
    );
    const isFirst = new Date().getUTCDate() === 1;
    const { usage: used } = (
      await (await asViewer(service)).get<Wire<AgentResponse>>(`/api/agents/${agent.id}`)
    ).body;
    expect(used.today.inputTokens).toBe(100);
    expect(used.month.inputTokens).toBe(isFirst ? 100 : 107);
  });

  it('show the usage of today and of the month', async () => {
    const own = await aProject(service.owner);
    const mine = await anIssue(service.owner, own, { assignedAgentId: agent.id });
    await sendHeartbeat(agent, { capacity: 0, usage: [aReport({ issueId: mine.id }), aReport()] });
    await service.sql(
      `INSERT INTO usage_totals (scope, scope_id, period, starts_on, input_tokens)
       VALUES ('agent', $1, 'day', '2020-01-01', 5000)`,
      [agent.id],
    );
    const { body } = await service.owner.get<Wire<AgentResponse>>(`/api/agents/${agent.id}`);
    expect(body.usage).toMatchObject({
      today: { inputTokens: 200, turns: 0 },
      month: { inputTokens: 200, outputTokens: 20 },
    });
    const { body: seen } = await service.owner.get<Project>(`/api/projects/${own.id}`);
    expect(seen.usage).toMatchObject({ today: { inputTokens: 100 }, month: { inputTokens: 100 } });
  });
});
