import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CallResponse, CallSummaryResponse } from '../../../src/gateway/call-history/call.dto.js';
import { anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asSession, asUser, asViewer } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import type { Wire } from '../../support/wire.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { pickUp, takeTurn } from './heartbeat-requests.js';
import { type AgentClient, clientKinds, closeClients, connect } from './mcp-clients.js';
import { grant, installed, type Installed } from './mcp-setting.js';

type Call = Wire<CallResponse>;

const catalog = new LocalCatalog().stdio('polite', ['misbehaving.mjs', 'polite']);
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(() => catalog.remove());
afterEach(closeClients);

let server: Installed;
let project: Project;
let agent: Caller;
let client: AgentClient;
let issue: Issue;
beforeAll(async () => {
  server = await installed(service, 'polite');
  project = await aProject(service.owner);
});
beforeEach(async () => {
  agent = await asAgent(service);
  await grant(service, server, agent, ['echo', 'count']);
  issue = await anIssue(service.owner, project, { assignedAgentId: agent.id });
  client = await connect(agent, clientKinds[1]);
});

const call = (tool: string, given: Record<string, unknown> = {}) =>
  client.call(`${server.slug}__${tool}`, given).catch(() => null);
const list = async (query: string, caller = service.owner) =>
  (await caller.get<Call[]>(`/api/mcp/calls?agentId=${agent.id}&${query}`)).body;
const recorded = (count: number) =>
  until<Call[] | null>(async () => {
    const calls = await list('');
    return calls.length === count ? calls : null;
  });
const ofIssue = (caller: Caller, { id } = issue) => caller.get<Call[]>(`/api/projects/issues/${id}/calls`);

describe('GET /api/mcp/calls', () => {
  it('returns who called what for which issue, without a value', async () => {
    const { token } = await pickUp(agent, issue);
    await call('echo', { text: 'canary-value', list: [1] });
    const [found] = await recorded(1);
    expect(found).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      agent: { id: agent.id, name: agent.name },
      user: null,
      server: { id: server.id, name: server.name },
      toolName: 'echo',
      issue: { id: issue.id, key: issue.key, title: issue.title },
      leaseToken: token,
      gateId: null,
      outcome: 'ok',
      reason: null,
      durationMs: expect.any(Number),
      argumentShape: { text: 'string', list: 'array' },
      argumentsHash: createHash('sha256').update('{"list":[1],"text":"canary-value"}').digest('hex'),
      resultBytes: expect.any(Number),
    });
    expect(found!.resultBytes).toBeGreaterThan(20);
  });

  it('filters by tool, issue, outcome, server and time', async () => {
    await pickUp(agent, issue);
    await call('echo');
    await call('count');
    await call('wait');
    await recorded(3);
    const tools = async (query: string) => (await list(query)).map(({ toolName }) => toolName);
    expect(await tools('toolName=count')).toEqual(['count']);
    expect(await tools('outcome=refused')).toEqual(['wait']);
    expect(await tools(`issueId=${issue.key}`)).toEqual(['wait', 'count', 'echo']);
    expect(await tools(`serverId=${server.id}&outcome=ok`)).toEqual(['count', 'echo']);
    expect(await tools('to=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await tools('from=2020-01-01T00:00:00Z')).toHaveLength(3);
  });

  it('refuses unknown filters and issues', async () => {
    for (const query of ['outcome=fine', 'issueId=NONE-1', 'agentId=x'])
      expect(await service.owner.get(`/api/mcp/calls?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'validation_failed' },
      });
  });

  it('pages by key, newest first, while calls are added', async () => {
    for (const tool of ['echo', 'count', 'echo']) await call(tool);
    const all = await recorded(3);
    const first = await service.owner.get<Call[]>(`/api/mcp/calls?agentId=${agent.id}&limit=2&count=true`);
    expect([first.body, first.headers['x-total-count']]).toEqual([all.slice(0, 2), '3']);
    await call('wait');
    await recorded(4);
    const next = /<(.*?)>/.exec(first.headers['link']!)![1]!;
    expect((await service.owner.get<Call[]>(next)).body).toEqual(all.slice(2));
  });

  it('shows the trial of an Admin with the Admin', async () => {
    await service.owner.post(`/api/mcp/installed/${server.id}/tools/echo/call`, { arguments: {} });
    const { body } = await service.owner.get<Call[]>(`/api/mcp/calls?serverId=${server.id}&limit=1`);
    expect(body[0]).toMatchObject({ agent: null, user: { id: expect.any(String) }, toolName: 'echo' });
  });

  it('is for Admins with a key', async () => {
    expect((await (await asSession(service, 'Admin')).get('/api/mcp/calls')).status).toBe(401);
    expect((await (await asUser(service, 'Editor')).get('/api/mcp/calls')).status).toBe(403);
    expect((await agent.get('/api/mcp/calls')).status).toBe(403);
  });
});

describe('GET /api/mcp/calls/summary', () => {
  it('counts the calls of a window by outcome and tool', async () => {
    for (const tool of ['echo', 'echo', 'wait']) await call(tool);
    await recorded(3);
    const { body } = await service.owner.get<Wire<CallSummaryResponse>>(
      `/api/mcp/calls/summary?agentId=${agent.id}`,
    );
    expect(body).toMatchObject({ calls: 3, outcomes: { ok: 2, refused: 1, unknown: 0 } });
    expect(body.tools).toMatchObject([
      { server: { id: server.id }, toolName: 'echo', calls: 2, failed: 0, medianMs: expect.any(Number) },
      { toolName: 'wait', calls: 1, failed: 1 },
    ]);
  });

  it('refuses a window of more than 31 days', async () => {
    const answer = await service.owner.get('/api/mcp/calls/summary?from=2020-01-01T00:00:00Z');
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'from' }] } });
  });
});

describe('GET /api/projects/issues/{issueId}/calls', () => {
  it('returns the calls for the issue to a Viewer, and none of another issue', async () => {
    await pickUp(agent, issue);
    await call('echo');
    const all = await recorded(1);
    const viewer = await asViewer(service);
    expect((await ofIssue(viewer)).body).toEqual(all);
    expect((await ofIssue(viewer, await anIssue(service.owner, project))).body).toEqual([]);
  });

  it('is 404 in a project that the caller does not see, and 403 to agents', async () => {
    const hidden = await aProject(service.owner, { visibility: 'members' });
    const inside = await anIssue(service.owner, hidden);
    expect((await ofIssue(await asViewer(service), inside)).status).toBe(404);
    expect((await ofIssue(agent)).status).toBe(403);
  });
});

describe('the timeline', () => {
  it('shows the calls of one turn as one entry, whose figures grow', async () => {
    const { token } = await pickUp(agent, issue);
    const entries = async () =>
      (
        await service.owner.get<Wire<{ type: string; actor: object; data: Record<string, unknown> }>[]>(
          `/api/projects/issues/${issue.id}/activity`,
        )
      ).body.filter(({ type }) => type === 'issue.tools_called');
    await takeTurn(agent, { issueId: issue.id, token });
    for (const tool of ['echo', 'wait']) await call(tool);
    await until(async () => (await entries())[0]?.data['calls'] === 2);
    await call('count');
    await until(async () => (await entries())[0]?.data['calls'] === 3);
    await takeTurn(agent, { issueId: issue.id, token });
    await call('echo');
    await until(async () => (await entries()).length === 2);
    const found = await entries();
    expect(found).toMatchObject([
      {
        actor: { type: 'agent', id: agent.id, name: agent.name },
        data: { leaseToken: token, turn: 1, calls: 3, failed: 1, firstAt: expect.stringMatching(/Z$/) },
      },
      { data: { leaseToken: token, turn: 2, calls: 1, failed: 0, tools: [`${server.name} echo`] } },
    ]);
    expect(found[0]!.data['tools']).toHaveLength(3);
  });
});
