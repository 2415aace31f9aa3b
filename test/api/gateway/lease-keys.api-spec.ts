import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, withKey } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { sendHeartbeat } from './heartbeat-requests.js';
import { aLeaseHolder, callerWith, codeIn, leaseOf, type LeaseHolder } from './lease-setting.js';
import { clientKinds, closeClients, connect } from './mcp-clients.js';
import { grant, installed, type Installed } from './mcp-setting.js';
import { modern, post, session } from './wire-call.js';

const catalog = new LocalCatalog().stdio('call-log', ['call-log.mjs']);
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(() => catalog.remove());
afterEach(closeClients);

let server: Installed;
beforeAll(async () => {
  server = await installed(service, 'call-log');
});

async function granted(fields: Record<string, unknown> = {}): Promise<LeaseHolder & { agent: Caller }> {
  const holder = await aLeaseHolder(service, fields);
  await grant(service, server, holder.agent);
  return holder;
}

const pause = ({ issueId }: LeaseHolder) =>
  service.owner.post(`/api/projects/issues/${issueId}/pause`, undefined, { headers: { 'if-match': '*' } });

const callOf = (caller: Caller, name: string, args: object = {}) =>
  modern(caller, 'tools/call', { name, arguments: args });

describe('connect of a lease', () => {
  it('comes with each lease that is handed out, to every worker, and stays the same while the lease lives', async () => {
    const agent = await asAgent(service);
    const project = await aProject(service.owner);
    const issue = await anIssue(service.owner, project, { assignedAgentId: agent.id });
    const first = await sendHeartbeat(agent, { worker: 'w' });
    expect(first.pickedUp[0]!.connect).toEqual({
      url: expect.stringMatching(/\/mcp$/),
      headers: { Authorization: expect.stringMatching(/^Bearer awp_l_[a-z0-9]+_[\w-]{94}$/) },
    });
    const again = await sendHeartbeat(agent, { worker: 'w' });
    for (const { work } of [first, again])
      expect(work).toMatchObject([{ issueId: issue.id, connect: first.pickedUp[0]!.connect }]);
    await pause({ issueId: issue.id } as LeaseHolder);
    expect((await sendHeartbeat(agent, { worker: 'w' })).work).toMatchObject([
      { state: 'stop', connect: null },
    ]);
  });

  it('is another one for another lease of the same issue', async () => {
    const { agent, issueId, connect: first, caller } = await granted();
    await pause({ issueId } as LeaseHolder);
    await service.owner.post(`/api/projects/issues/${issueId}/resume`);
    const { pickedUp } = await sendHeartbeat(agent);
    expect(pickedUp[0]!.connect).not.toEqual(first);
    expect(codeIn(await callOf(caller, 'platform__get_issue'))).toBe('lease_lost');
    const renewed = callerWith(service, pickedUp[0]!.connect);
    expect(codeIn(await callOf(renewed, 'platform__get_issue'))).toBeUndefined();
  });
});

describe('a lease key', () => {
  it('opens nothing but the MCP endpoint of its agent', async () => {
    const { caller, agent } = await granted();
    const other = await asAgent(service);
    for (const path of [
      '/api/projects',
      '/api/auth/me',
      `/api/agents/${agent.id}`,
      '/api/events',
      '/api/mcp/installed',
    ])
      expect(await caller.unchecked().get(path)).toMatchObject(refused(403, 'forbidden'));
    expect((await caller.get('/api/projects')).body.detail).toMatch(/lease key opens the MCP endpoint only/);
    expect(await caller.post('/api/agents/me/heartbeat', {})).toMatchObject(refused(403, 'forbidden'));
    expect((await modern(caller, 'tools/list')).status).toBe(200);
    expect((await caller.unchecked().post(`/api/agents/${other.id}/mcp`, {})).status).toBe(403);
  });

  it('is 401 after a change of a single character', async () => {
    const { caller } = await granted();
    const key = caller.key!;
    const forged = withKey(service, `${key.slice(0, -9)}${key.at(-9) === 'A' ? 'B' : 'A'}${key.slice(-8)}`);
    expect((await callOf(forged, 'platform__get_issue')).status).toBe(401);
    expect((await modern(forged, 'tools/list')).status).toBe(401);
    expect(await forged.get('/api/projects')).toMatchObject(refused(401, 'unauthenticated'));
  });

  it('is 401 outside of tool calls once its lease has ended, and a session of it serves no other key', async () => {
    const holder = await granted();
    const opened = await session(holder.caller);
    expect((await opened.request('tools/list')).status).toBe(200);
    const ownHeaders = { 'mcp-session-id': opened.id, 'mcp-protocol-version': '2025-11-25' };
    const frame = { jsonrpc: '2.0', id: 9, method: 'tools/list' };
    expect((await post(holder.agent, frame, ownHeaders)).status).toBe(404);
    await pause(holder);
    expect((await opened.request('tools/list')).status).toBe(401);
    expect((await modern(holder.caller, 'tools/list')).status).toBe(401);
    const call = await opened.request('tools/call', { name: 'platform__get_issue', arguments: {} });
    expect(codeIn(call)).toBe('lease_lost');
  });
});

describe.each(clientKinds)('a process that works with a lease key and %s', (kind) => {
  it('receives its issue, and gets the tools that serve it, without ids and tokens', async () => {
    const { caller, issue } = await granted();
    const client = await connect(caller, kind);
    expect(client.instructions).toContain(`${issue.key} "${issue.title}"`);
    expect(client.instructions).not.toContain('next_issue');
    expect(client.instructions.length).toBeLessThanOrEqual(2_000);
    const names = await client.toolNames();
    for (const name of ['next_issue', 'heartbeat', 'my_issues'])
      expect(names).not.toContain(`platform__${name}`);
    expect(names).toContain(`${server.slug}__work`);
    const tools = await client.tools();
    for (const { name, inputSchema } of tools.filter((tool) => String(tool.name).startsWith('platform__'))) {
      const { properties, required } = inputSchema as unknown as { properties: object; required: string[] };
      expect([name, required]).not.toEqual([name, expect.arrayContaining(['issueId'])]);
      expect(properties).not.toHaveProperty('leaseToken');
    }
  });

  it('reads, comments, changes and finishes its issue, and is refused another one', async () => {
    const { caller, issue, agent } = await granted();
    const other = await anIssue(service.owner, await aProject(service.owner), { assignedAgentId: agent.id });
    const client = await connect(caller, kind);
    expect((await client.call('platform__get_issue')).structuredContent).toMatchObject({
      issue: { id: issue.id },
    });
    expect(
      (await client.call('platform__get_issue', { issueId: other.key })).structuredContent,
    ).toMatchObject({
      issue: { id: other.id },
    });
    await client.call('platform__add_comment', { content: 'Done so far.' });
    await client.call('platform__add_comment', { content: 'By key.', issueId: issue.key });
    const no = await client.call('platform__add_comment', { content: 'No.', issueId: other.key });
    expect(JSON.parse(no.text)).toMatchObject({ code: 'forbidden' });
    const finished = await client.call('platform__update_issue', { status: 'Resolved' });
    expect(finished.structuredContent).toMatchObject({ issue: { id: issue.id, status: 'Resolved' } });
    // The repetition of a call whose response was lost.
    const again = await client.call('platform__update_issue', { status: 'Resolved' });
    expect(again.isError).toBeUndefined();
    const lost = await client.call('platform__add_comment', { content: 'Too late.' });
    expect(JSON.parse(lost.text)).toMatchObject({ code: 'lease_lost', reason: 'resolved' });
    const { body } = await service.owner.get<{ content: string }[]>(
      `/api/projects/issues/${issue.id}/comments`,
    );
    expect(body.map(({ content }) => content)).toEqual(['Done so far.', 'By key.']);
  });

  it('receives the reason when its lease ends while a tool runs, which is cancelled at the server', async () => {
    const holder = await granted();
    const observer = await asAgent(service);
    await grant(service, server, observer);
    const client = await connect(holder.caller, kind);
    const round = holder.issueId;
    const running = client.call(`${server.slug}__work`, { round });
    const began: string[] = [];
    const cancelled = async () => {
      const { message } = await callOf(observer, `${server.slug}__log`);
      const [{ text }] = message.result!.content as unknown as [{ text: string }];
      const log = JSON.parse(text) as { began: string[]; cancelled: number };
      began.push(...log.began);
      return log.cancelled;
    };
    await until(async () => (await cancelled()) >= 0 && began.includes(round));
    const before = await cancelled();
    await pause(holder);
    const { isError, text } = await running;
    expect([isError, JSON.parse(text)]).toMatchObject([true, { code: 'lease_lost', reason: 'paused' }]);
    await until(async () => (await cancelled()) === before + 1);
  });
});

describe('calls of a lease key', () => {
  it('stand on the issue of the lease, also while the agent works on several issues', async () => {
    const { agent, caller, issueId } = await granted();
    await leaseOf(agent, service);
    await callOf(caller, `${server.slug}__work`, { round: 'r', ms: 0 });
    const record = await until(async () => {
      const rows = await service.sql<{ issue_id: string }>(
        `SELECT issue_id, lease_token::int AS lease_token, outcome FROM tool_calls WHERE agent_id = $1`,
        [agent.id],
      );
      return rows[0];
    });
    expect(record).toEqual({ issue_id: issueId, lease_token: 1, outcome: 'ok' });
  });

  it('are refused while all agents are halted, but for handing in', async () => {
    const { caller } = await granted();
    await service.owner.put('/api/agents/halt', { halted: true });
    try {
      expect((await callOf(caller, `${server.slug}__work`, { ms: 0 })).message.result).toMatchObject({
        isError: true,
      });
      expect(
        codeIn(await callOf(caller, 'platform__add_comment', { content: 'What I have.' })),
      ).toBeUndefined();
    } finally {
      await service.owner.put('/api/agents/halt', { halted: false });
    }
    expect((await callOf(caller, `${server.slug}__work`, { ms: 0 })).message.result).not.toHaveProperty(
      'isError',
    );
  });
});

describe('an agent whose tools require a lease', () => {
  it('has the tools of the platform alone with its own key, and all with a lease key', async () => {
    const { agent, caller } = await granted({ toolsRequireLease: true });
    const listed = async (who: Caller) =>
      ((await modern(who, 'tools/list')).message.result as unknown as { tools: { name: string }[] }).tools
        .map(({ name }) => name)
        .filter((name) => !name.startsWith('platform__'));
    expect(await listed(agent)).toEqual([]);
    expect(await listed(caller)).toContain(`${server.slug}__work`);
    const called = await callOf(agent, `${server.slug}__work`, { ms: 0 });
    expect([codeIn(called), called.message.result]).toMatchObject(['lease_required', { isError: true }]);
    expect((await callOf(caller, `${server.slug}__work`, { ms: 0 })).message.result).not.toHaveProperty(
      'isError',
    );
    expect((await modern(agent, 'prompts/get', { name: `${server.slug}__p` })).message.error).toMatchObject({
      data: { code: 'lease_required' },
    });
    const changed = await service.owner.put(`/api/agents/${agent.id}`, { toolsRequireLease: false });
    expect(changed.body).toMatchObject({ toolsRequireLease: false });
    expect(await listed(agent)).toContain(`${server.slug}__work`);
  });
});
