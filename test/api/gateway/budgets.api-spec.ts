import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { BudgetResponse } from '../../../src/work/budgets/budget.dto.js';
import type { GateResponse } from '../../../src/work/gates/gate.response.js';
import { anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor, asUser } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import type { Wire } from '../../support/wire.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { leasesOf, pickUp, sendHeartbeat, takeTurn } from './heartbeat-requests.js';
import { clientKinds, closeClients, connect } from './mcp-clients.js';
import { grant, installed } from './mcp-setting.js';

type Budget = Wire<BudgetResponse>;
type Gate = Wire<GateResponse>;

const catalog = new LocalCatalog().stdio('polite', ['misbehaving.mjs', 'polite']);
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(() => catalog.remove());
afterEach(closeClients);

let project: Project;
let agent: Caller;
let issue: Issue;
beforeEach(async () => {
  project = await aProject(service.owner);
  agent = await asAgent(service);
  issue = await anIssue(service.owner, project, { assignedAgentId: agent.id });
});

const ofAgent = () => `/api/agents/${agent.id}/budget`;
const ofProject = () => `/api/projects/${project.id}/budget`;
const ofIssue = () => `/api/projects/issues/${issue.id}/budget`;
const read = async (path: string) => (await service.owner.get<Budget>(path)).body;
const set = async (path: string, limits: object, caller = service.owner) => {
  const answer = await caller.put<Budget>(path, { period: 'day', ...limits });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
};
const gateOf = async (path: string): Promise<Gate> => {
  const { gateId } = await read(path);
  expect(gateId).not.toBeNull();
  return (await service.owner.get<Gate>(`/api/projects/gates/${gateId}`)).body;
};
const answer = async ({ id }: Gate, body: object) => {
  const given = await service.owner.post(`/api/projects/gates/${id}/answer`, body);
  if (given.status !== 200) throw new Error(given.text);
};
const present = async (one = issue) =>
  (await service.owner.get<Issue>(`/api/projects/issues/${one.id}`)).body;
/** The calls of the agent that the usage has by now. */
const readUsage = async () =>
  (await service.owner.get<{ toolCalls: number }[]>(`/api/usage?agentId=${agent.id}`)).body[0]?.toolCalls;
const aReport = (fields: object) => ({ reportId: randomUUID(), inputTokens: 0, outputTokens: 0, ...fields });

describe('a budget', () => {
  it('is set, read with what is used, and removed', async () => {
    expect(await read(ofAgent())).toMatchObject({ tokens: null, period: null, stopped: false });
    await sendHeartbeat(agent, {
      capacity: 0,
      usage: [aReport({ inputTokens: 60, outputTokens: 5, costMicros: 7 })],
    });
    expect(await set(ofAgent(), { tokens: 100, costMicros: 50 })).toMatchObject({
      tokens: 100,
      costMicros: 50,
      turns: null,
      period: 'day',
      used: { tokens: 65, costMicros: 7 },
      extended: { tokens: 0 },
      stopped: false,
      gateId: null,
    });
    expect((await service.owner.delete(ofAgent())).status).toBe(204);
    expect((await service.owner.delete(ofAgent())).status).toBe(204);
    expect(await read(ofAgent())).toMatchObject({ tokens: null, period: null });
  });

  it.each([
    ['no limit', {}, 'tokens'],
    ['a limit of 0', { turns: 0 }, 'turns'],
    ['an unknown period', { turns: 1, period: 'week' }, 'period'],
  ])('is refused with %s', async (_, limits, path) => {
    const refused = await service.owner.put(ofIssue(), { period: 'day', ...limits });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });

  it('is for Admins, of an issue for Editors', async () => {
    const editor = await asEditor(service);
    const admin = await asUser(service, 'Admin');
    for (const path of [ofAgent(), ofProject()]) {
      expect((await editor.get(path)).status).toBe(403);
      expect((await admin.get(path)).status).toBe(200);
    }
    expect((await editor.get(ofIssue())).status).toBe(200);
    expect((await agent.get(ofIssue())).status).toBe(403);
  });
});

describe('the budget of an agent', () => {
  it('ends the work at the turn after its last, until a person extends it', async () => {
    await set(ofAgent(), { turns: 2 });
    const held = await pickUp(agent, issue);
    for (let turn = 0; turn < 2; turn += 1)
      expect(await takeTurn(agent, held)).toMatchObject({ proceed: true, reason: null });
    expect(await takeTurn(agent, held)).toMatchObject({ proceed: false, reason: 'budget' });
    expect(await present()).toMatchObject({ status: 'Open', paused: false, lease: null, attempts: 0 });
    expect(await sendHeartbeat(agent, { leases: [held] })).toMatchObject({
      pickedUp: [],
      stop: [{ issueId: issue.id, reason: 'budget' }],
    });
    const gate = await gateOf(ofAgent());
    expect(gate).toMatchObject({
      kind: 'budget',
      state: 'open',
      issue: null,
      agent: { id: agent.id },
      request: { scope: 'agent', measure: 'turns', limit: 2, used: 2 },
    });
    await answer(gate, { decision: 'extend', by: 1 });
    expect(await read(ofAgent())).toMatchObject({ turns: 2, extended: { turns: 1 }, stopped: false });
    const again = await pickUp(agent, issue);
    expect(await takeTurn(agent, again)).toMatchObject({ proceed: true });
    expect(await takeTurn(agent, again)).toMatchObject({ proceed: false, reason: 'budget' });
    expect((await gateOf(ofAgent())).id).not.toBe(gate.id);
  });

  it('extends by its own limit where the answer names no number, however often it was extended', async () => {
    await set(ofAgent(), { turns: 1 });
    const held = await pickUp(agent, issue);
    await takeTurn(agent, held);
    await takeTurn(agent, held);
    for (const turns of [1, 2]) {
      await answer(await gateOf(ofAgent()), { decision: 'extend' });
      expect(await read(ofAgent())).toMatchObject({ turns: 1, extended: { turns }, stopped: false });
      const again = await pickUp(agent, issue);
      expect(await takeTurn(agent, again)).toMatchObject({ proceed: true });
      expect(await takeTurn(agent, again)).toMatchObject({ proceed: false, reason: 'budget' });
    }
  });

  it('forgets in a new period what the last one was extended by, when it is extended again', async () => {
    const beat = (fields: object) => sendHeartbeat(agent, { capacity: 0, usage: [aReport(fields)] });
    await set(ofAgent(), { tokens: 5, costMicros: 5 });
    for (const spent of [{ inputTokens: 5 }, { costMicros: 5 }]) {
      await beat(spent);
      await answer(await gateOf(ofAgent()), { decision: 'extend' });
    }
    expect(await read(ofAgent())).toMatchObject({ extended: { tokens: 5, costMicros: 5 } });
    // The same state a day later.
    await service.sql(`UPDATE budgets SET extra_on = extra_on - 1 WHERE scope_id = $1`, [agent.id]);
    await service.sql(`UPDATE usage_totals SET starts_on = starts_on - 40 WHERE scope_id = $1`, [agent.id]);
    await beat({ inputTokens: 5 });
    await answer(await gateOf(ofAgent()), { decision: 'extend', by: 2 });
    expect(await read(ofAgent())).toMatchObject({ extended: { tokens: 2, costMicros: 0 }, stopped: false });
  });

  it('stops running work with the heartbeat whose report uses it up', async () => {
    await set(ofAgent(), { tokens: 100 });
    const held = await pickUp(agent, issue);
    const beat = (inputTokens: number) =>
      sendHeartbeat(agent, {
        leases: [held],
        usage: [aReport({ inputTokens, issueId: issue.id, cacheReadTokens: 5_000 })],
      });
    expect(await beat(99)).toMatchObject({ stop: [], active: [{ issueId: issue.id }] });
    expect(await beat(1)).toMatchObject({ stop: [{ issueId: issue.id, reason: 'budget' }], pickedUp: [] });
  });

  it('keeps the work stopped after "stop" until the period ends', async () => {
    await set(ofAgent(), { costMicros: 10 });
    await sendHeartbeat(agent, { capacity: 0, usage: [aReport({ costMicros: 10 })] });
    await answer(await gateOf(ofAgent()), { decision: 'stop' });
    expect(await sendHeartbeat(agent)).toMatchObject({ pickedUp: [] });
    expect(await read(ofAgent())).toMatchObject({ stopped: true, gateId: null });
    // The same state a day later.
    await service.sql(`UPDATE budgets SET stopped_on = stopped_on - 1 WHERE scope_id = $1`, [agent.id]);
    await service.sql(`UPDATE usage_totals SET starts_on = starts_on - 40 WHERE scope_id = $1`, [agent.id]);
    await pickUp(agent, issue);
  });

  it('hands out nothing where it is used up before, and opens one gate however many ask', async () => {
    await sendHeartbeat(agent, { capacity: 0, usage: [aReport({ inputTokens: 5 })] });
    await set(ofAgent(), { tokens: 5 });
    await anIssue(service.owner, project, { assignedAgentId: agent.id });
    const second = await service.second();
    const beats = await Promise.all(
      Array.from({ length: 8 }, (_, at) => sendHeartbeat(at % 2 ? agent : agent.at(second))),
    );
    expect(beats.flatMap(({ pickedUp }) => pickedUp)).toEqual([]);
    const { body: gates } = await service.owner.get<Gate[]>(`/api/projects/gates?agentId=${agent.id}`);
    expect(gates).toHaveLength(1);
  });

  it('begins again when it is set to more, which withdraws its gate', async () => {
    await set(ofAgent(), { tokens: 5 });
    await sendHeartbeat(agent, { capacity: 0, usage: [aReport({ inputTokens: 5 })] });
    const gate = await gateOf(ofAgent());
    await set(ofAgent(), { tokens: 50 });
    expect((await service.owner.get<Gate>(`/api/projects/gates/${gate.id}`)).body.state).toBe('withdrawn');
    await pickUp(agent, issue);
  });
});

describe('a limit of tool calls', () => {
  it('lets exactly as many of 40 concurrent calls run', async () => {
    const server = await installed(service, 'polite');
    await grant(service, server, agent, ['echo']);
    const clients = [await connect(agent, clientKinds[1]), await connect(agent, clientKinds[1])];
    // The first call starts the server.
    expect((await clients[0]!.call(`${server.slug}__echo`)).isError).toBeFalsy();
    await until(async () => (await readUsage()) === 1);
    await set(ofAgent(), { toolCalls: 11 });
    await pickUp(agent, issue);
    const call = (at: number) => clients[at % 2]!.call(`${server.slug}__echo`);
    const results = await Promise.all(Array.from({ length: 40 }, (_, at) => call(at)));
    expect(results.filter(({ isError }) => !isError)).toHaveLength(10);
    expect(results.find(({ isError }) => isError)!.text).toMatch(/budget .* used up/);
    expect(await read(ofAgent())).toMatchObject({ used: { toolCalls: 11 } });
    await until(async () => (await present()).status === 'Open');
    const refused = () =>
      service.owner
        .get<unknown[]>(`/api/mcp/calls?agentId=${agent.id}&outcome=refused`)
        .then(({ body }) => body);
    await until(async () => (await refused()).length === 30);
    expect((await refused())[0]).toMatchObject({ reason: 'budget' });
    expect(await read(ofAgent())).toMatchObject({ used: { toolCalls: 11 } });
  });
});

describe('the budget of a project', () => {
  it('stops all its agents with one gate, and nothing in other projects', async () => {
    const other = await asAgent(service);
    const theirs = await anIssue(service.owner, project, { assignedAgentId: other.id });
    const elsewhere = await anIssue(service.owner, await aProject(service.owner), {
      assignedAgentId: agent.id,
    });
    await set(ofProject(), { turns: 1 });
    const held = leasesOf(await sendHeartbeat(agent)).find(({ issueId }) => issueId === issue.id)!;
    const theirHeld = await pickUp(other, theirs);
    expect(await takeTurn(agent, held)).toMatchObject({ proceed: true });
    expect(await takeTurn(other, theirHeld)).toMatchObject({ proceed: false, reason: 'budget' });
    expect((await present(issue)).status).toBe('Open');
    expect((await present(elsewhere)).status).toBe('InProgress');
    expect(await gateOf(ofProject())).toMatchObject({ project: { id: project.id }, issue: null });
    await answer(await gateOf(ofProject()), { decision: 'extend' });
    await pickUp(other, theirs);
  });
});

describe('the budget of an issue', () => {
  const exhaust = async () => {
    await set(ofIssue(), { turns: 1, period: 'total' });
    const held = await pickUp(agent, issue);
    expect(await takeTurn(agent, held)).toMatchObject({ proceed: true });
    expect(await takeTurn(agent, held)).toMatchObject({ proceed: false, reason: 'budget' });
  };

  it('makes the issue wait for its gate, and "extend" hands it out again', async () => {
    await exhaust();
    expect(await present()).toMatchObject({ status: 'WaitingOnDependency', lease: null });
    const gate = await gateOf(ofIssue());
    expect(gate).toMatchObject({ issue: { id: issue.id }, request: { measure: 'turns', limit: 1 } });
    await answer(gate, { decision: 'extend', by: 5 });
    const held = await pickUp(agent, issue);
    expect(await takeTurn(agent, held)).toMatchObject({ proceed: true });
  });

  it('asks again when the issue ended meanwhile and is opened again', async () => {
    await exhaust();
    const first = await gateOf(ofIssue());
    const path = `/api/projects/issues/${issue.id}`;
    await service.owner.post(`${path}/close?force=true`);
    await service.owner.put(path, { status: 'Open' });
    expect(await sendHeartbeat(agent)).toMatchObject({ pickedUp: [] });
    expect(await present()).toMatchObject({ status: 'WaitingOnDependency' });
    const second = await gateOf(ofIssue());
    expect(second.id).not.toBe(first.id);
    await answer(second, { decision: 'extend', by: 5 });
    await pickUp(agent, issue);
  });

  it('"stop" leaves it Open and paused', async () => {
    await exhaust();
    await answer(await gateOf(ofIssue()), { decision: 'stop' });
    expect(await present()).toMatchObject({ status: 'Open', paused: true });
    expect(await sendHeartbeat(agent)).toMatchObject({ pickedUp: [] });
  });
});
