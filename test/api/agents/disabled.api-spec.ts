import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { aComment, anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import { pickUp, sendHeartbeat, takeTurn, type Held } from '../gateway/heartbeat-requests.js';
import { closeClients, connect, type AgentClient } from '../gateway/mcp-clients.js';
import { accessTable } from '../platform/access/access-table.js';

const service = useService();
let project: Project;
beforeAll(async () => {
  project = await aProject(service.owner);
});
afterAll(closeClients);

const disable = (agent: Caller) => service.owner.put(`/api/agents/${agent.id}`, { disabled: true });
const setHalt = (halted: boolean) => service.owner.put('/api/agents/halt', { halted });

async function someWork(): Promise<{ agent: Caller; issue: Issue; held: Held }> {
  const agent = await asAgent(service);
  const issue = await anIssue(service.owner, project, { assignedAgentId: agent.id });
  return { agent, issue, held: await pickUp(agent, issue) };
}

/** The tools of the platform that a disabled agent may call. */
const OPEN_TOOLS = [
  'next_issue',
  'heartbeat',
  'my_issues',
  'list_issues',
  'get_issue',
  'get_goal',
  'list_attachments',
  'read_attachment',
  'gate_result',
];
const toolsOf = async (client: AgentClient) =>
  (await client.toolNames()).flatMap((name) => /^platform__(.+)$/.exec(name)?.[1] ?? []);

describe('a disabled agent', () => {
  const changing = accessTable.filter(
    ({ method, agents, users }) =>
      method !== 'GET' && users !== 'anyone' && agents !== 'no' && agents !== 'itself',
  );

  it.each(changing.map(({ method, path }) => [method, path] as const))(
    'gets 403 agent_disabled from %s %s',
    async (method, path) => {
      const agent = await asAgent(service);
      await disable(agent);
      const address = path.replaceAll(/\{\w+\}/g, randomUUID());
      expect(await agent.request(method, address, { body: {} })).toMatchObject(
        refused(403, 'agent_disabled'),
      );
    },
  );

  it('leaves an issue that it worked on as it is', async () => {
    const { agent, issue, held } = await someWork();
    await disable(agent);
    const path = `/api/projects/issues/${issue.id}`;
    const headers = { 'lease-token': String(held.token) };
    for (const answer of [
      await agent.put(path, { status: 'Resolved' }, { headers }),
      await agent.post(`${path}/comments`, { content: 'x' }),
      await agent.post(`${path}/finish`, { token: held.token, status: 'Resolved' }),
      await agent.post(`${path}/release`, { token: held.token }),
    ])
      expect(answer).toMatchObject(refused(403, 'agent_disabled'));
    const { body } = await service.owner.get<Issue>(path);
    expect(body).toMatchObject({
      status: 'InProgress',
      version: (await agent.get<Issue>(path)).body.version,
    });
  });

  it('reads, and learns from heartbeats and turns that it is disabled', async () => {
    const { agent, issue, held } = await someWork();
    await disable(agent);
    expect((await agent.get(`/api/projects/issues/${issue.id}/comments`)).status).toBe(200);
    expect(await sendHeartbeat(agent, { leases: [held] })).toMatchObject({
      agent: { disabled: true },
      stop: [{ issueId: issue.id, reason: 'disabled' }],
    });
    expect(await takeTurn(agent, held)).toMatchObject({ proceed: false, reason: 'disabled' });
    expect(await takeTurn(agent)).toMatchObject({ proceed: false, reason: 'disabled' });
  });

  it('is refused every tool of the platform but those that read and those that report', async () => {
    const agent = await asAgent(service);
    const client = await connect(agent, 'client 2.4.0 (2026-07-28)');
    await disable(agent);
    const open = [];
    for (const tool of await toolsOf(client)) {
      const { structuredContent } = await client.call(`platform__${tool}`, {});
      if (String(structuredContent?.code) !== 'agent_disabled') open.push(tool);
    }
    expect(open.toSorted()).toEqual(OPEN_TOOLS.toSorted());
  });
});

describe('while all agents are halted', () => {
  afterEach(async () => {
    await setHalt(false);
  });

  it('an agent comments, finishes and releases what it has, and gets no new work', async () => {
    const [first, second] = [await someWork(), await someWork()];
    await setHalt(true);
    await aComment(first.agent, first.issue, 'handing in');
    expect(
      await first.agent.post(`/api/projects/issues/${first.issue.id}/finish`, {
        token: first.held.token,
        status: 'Resolved',
      }),
    ).toMatchObject({ status: 200, body: { issue: { status: 'Resolved' } } });
    expect(
      await second.agent.post(`/api/projects/issues/${second.issue.id}/release`, {
        token: second.held.token,
      }),
    ).toMatchObject({ status: 200, body: { issue: { status: 'Open', attempts: 0 } } });
    expect((await sendHeartbeat(second.agent)).pickedUp).toEqual([]);
  });

  it('a turn never says to go on', async () => {
    const { agent, held } = await someWork();
    await setHalt(true);
    for (const body of [{}, held])
      expect(await takeTurn(agent, body)).toMatchObject({ proceed: false, reason: 'halted' });
  });
});
