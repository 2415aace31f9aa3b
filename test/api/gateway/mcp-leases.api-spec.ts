import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import { asAgent } from '../../support/callers.js';
import type { Caller } from '../../support/caller.js';
import { useService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import type { Loose } from '../../support/wire.js';
import { sendHeartbeat } from './heartbeat-requests.js';
import { modern, post, session } from './wire-call.js';
import { WAITING_FOR_LOCKS } from '../../support/waiting-for-locks.js';

const service = useService({ settings: { LEASE_SECONDS: '30', MCP_LEASE_SECONDS: '600' } });
let other: Service;
let project: Project;
let agent: Caller;
beforeAll(async () => {
  other = await service.second();
  project = await aProject(service.owner);
});
beforeEach(async () => {
  agent = await asAgent(service);
});

/** Someone who takes work over MCP: a session, or a worker without one. */
interface Holder {
  /** Calls a tool, in the second process where `at` says so. */
  call(tool: string, given?: Record<string, unknown>, at?: Service): Promise<Loose>;
}

/** The structured content of a result whose text says the same. */
function resultIn(message: Loose): Loose {
  const { structuredContent, content } = message.result ?? {};
  expect(JSON.parse(String((content as unknown as Loose[])[0]!.text))).toEqual(structuredContent);
  return structuredContent!;
}

const holders: Record<'session' | 'worker', (name: string) => Promise<Holder>> = {
  session: async () => {
    const { id } = await session(agent);
    const headers = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
    return {
      call: async (tool, given = {}, at = service) => {
        const params = { name: `platform__${tool}`, arguments: given };
        const frame = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
        return resultIn((await post(agent.at(at), frame, headers)).message);
      },
    };
  },
  worker: async (name) => ({
    call: async (tool, given = {}, at = service) => {
      const params = { name: `platform__${tool}`, arguments: { ...given, worker: name } };
      return resultIn((await modern(agent.at(at), 'tools/call', params)).message);
    },
  }),
};

const anOpenIssue = () => anIssue(service.owner, project, { assignedAgentId: agent.id });
const read = async ({ id }: Pick<Issue, 'id'>) =>
  (await service.owner.get<Issue>(`/api/projects/issues/${id}`)).body;

async function secondsLeft({ id }: Pick<Issue, 'id'>): Promise<number> {
  const [row] = await service.sql<{ left: number }>(
    'SELECT extract(epoch FROM expires_at - now())::float AS left FROM issue_leases WHERE issue_id = $1',
    [id],
  );
  return row!.left;
}
const setSecondsLeft = ({ id }: Pick<Issue, 'id'>, seconds: number) =>
  service.sql('UPDATE issue_leases SET expires_at = now() + make_interval(secs => $2) WHERE issue_id = $1', [
    id,
    seconds,
  ]);

/** Asserts that a request renews the lease of the issue, even where it has run out. */
async function expectRenewal(issue: Issue, request: () => Promise<unknown>): Promise<void> {
  for (const seconds of [5, -5]) {
    await setSecondsLeft(issue, seconds);
    await request();
    expect(await secondsLeft(issue)).toBeGreaterThan(590);
  }
}

describe.each(['session', 'worker'] as const)('a lease that a %s takes over MCP', (kind) => {
  let issue: Issue;
  let holder: Holder;
  beforeEach(async () => {
    issue = await anOpenIssue();
    holder = await holders[kind]('one');
  });

  it('lasts MCP_LEASE_SECONDS, and its result begins with key, id and token', async () => {
    const taken = await holder.call('next_issue');
    expect(Object.keys(taken).slice(0, 3)).toEqual(['key', 'id', 'leaseToken']);
    expect(taken).toMatchObject({ key: issue.key, id: issue.id, leaseToken: 1, more: null });
    expect(await secondsLeft(issue)).toBeGreaterThan(590);
    await anOpenIssue();
    const { pickedUp } = await holder.call('heartbeat', { capacity: 1 });
    expect(await secondsLeft((pickedUp as unknown as { issue: Issue }[])[0]!.issue)).toBeGreaterThan(590);
  });

  it('is returned again with the same token, in any process, until a later request has confirmed it', async () => {
    await anOpenIssue();
    const first = await holder.call('next_issue');
    expect(first.again).toBeUndefined();
    for (const at of [other, service])
      expect(await holder.call('next_issue', {}, at)).toMatchObject({
        again: true,
        id: first.id,
        leaseToken: first.leaseToken,
      });
    expect(await read(first as unknown as Issue)).toMatchObject({ attempts: 0, status: 'InProgress' });
    await holder.call('add_comment', { issueId: first.key, content: 'I have it.' }, other);
    const second = await holder.call('next_issue');
    expect(second.id).not.toBe(first.id);
    expect(second.again).toBeUndefined();
  });

  it('is confirmed by a heartbeat that carries its token', async () => {
    const { id, leaseToken } = await holder.call('next_issue');
    await holder.call('heartbeat', { leases: [{ issueId: id, token: leaseToken }] });
    expect(await holder.call('next_issue')).toMatchObject({ key: null, id: null, leaseToken: null });
  });

  it('is returned once to two calls at the same time', async () => {
    await anOpenIssue();
    await service.sql('BEGIN');
    await service.sql('SELECT 1 FROM agents WHERE id = $1 FOR UPDATE', [agent.id]);
    const calls = Promise.all([service, other].map((at) => holder.call('next_issue', {}, at)));
    await until(async () => (await service.sql(WAITING_FOR_LOCKS)).length >= 2);
    await service.sql('COMMIT');
    const taken = await calls;
    expect(new Set(taken.map(({ id }) => id)).size).toBe(1);
    expect(taken.filter(({ again }) => again)).toHaveLength(1);
  });

  it('shows its token to its holder alone', async () => {
    const { leaseToken } = await holder.call('next_issue');
    expect(await holder.call('my_issues', {}, other)).toMatchObject({
      held: [{ key: issue.key, id: issue.id, leaseToken }],
      issues: [{ leaseToken, id: issue.id }],
    });
    const stranger = await holders[kind]('two');
    const seen = await stranger.call('my_issues');
    expect(seen.held).toEqual([]);
    expect(JSON.stringify(seen)).not.toContain('leaseToken');
    expect((await stranger.call('next_issue')).id).toBeNull();
  });

  it('is not returned again when it has ended, was taken over, or all work must stop', async () => {
    await holder.call('next_issue');
    await service.owner.put('/api/agents/halt', { halted: true });
    try {
      expect((await holder.call('next_issue')).id).toBeNull();
      await setSecondsLeft(issue, 5);
      await holder.call('my_issues');
      expect(await secondsLeft(issue)).toBeLessThan(6);
    } finally {
      await service.owner.put('/api/agents/halt', { halted: false });
    }
    await setSecondsLeft(issue, -5);
    const stranger = await holders[kind]('two');
    expect(await stranger.call('next_issue')).toMatchObject({ id: issue.id, leaseToken: 2 });
    expect((await holder.call('my_issues')).held).toEqual([]);
    expect((await holder.call('next_issue')).id).toBeNull();
    await service.owner.post(`/api/projects/issues/${issue.id}/pause`);
    expect((await stranger.call('next_issue')).id).toBeNull();
  });

  it('is no longer of its holder when a worker took it over by HTTP', async () => {
    await holder.call('next_issue');
    await setSecondsLeft(issue, -5);
    const { pickedUp } = await sendHeartbeat(agent);
    expect(pickedUp).toMatchObject([{ issue: { id: issue.id }, lease: { token: 2 } }]);
    expect((await holder.call('my_issues')).held).toEqual([]);
    expect((await holder.call('next_issue')).id).toBeNull();
    expect(await secondsLeft(issue)).toBeLessThan(31);
  });

  it('is renewed by each later call of its holder, in any process, and counts as a sign of life', async () => {
    await holder.call('next_issue');
    for (const at of [service, other]) {
      await expectRenewal(issue, () => holder.call('get_issue', { issueId: issue.key }, at));
      await expectRenewal(issue, () => holder.call('list_issues', {}, at));
    }
    await service.sql('UPDATE agents SET last_heartbeat_at = NULL WHERE id = $1', [agent.id]);
    await holder.call('list_issues');
    const { lastHeartbeatAt } = (await service.owner.get(`/api/agents/${agent.id}`)).body;
    expect(lastHeartbeatAt).not.toBeNull();
  });

  it('owes no heartbeat while it lives', async () => {
    await holder.call('next_issue');
    const items = async () => {
      const [row] = await service.sql<{ id: string }>(
        `UPDATE agents SET last_heartbeat_at = now() - interval '1 hour' WHERE id = $1 RETURNING id`,
        [agent.id],
      );
      const { body } = await service.owner.get<{ items: { id: string }[] }>('/api/attention?limit=500');
      return body.items.filter(({ id }) => id === `agent_silent:${row!.id}`);
    };
    expect(await items()).toHaveLength(0);
    await setSecondsLeft(issue, -5);
    expect(await items()).toHaveLength(1);
  });

  it('lasts as long after a request over HTTP that carries its token', async () => {
    const { leaseToken: token } = await holder.call('next_issue');
    await expectRenewal(issue, () =>
      sendHeartbeat(agent, { capacity: 0, leases: [{ issueId: issue.id, token }] }),
    );
  });
});

it('is renewed by every kind of request of its session', async () => {
  const issue = await anOpenIssue();
  const { id, request } = await session(agent);
  await request('tools/call', { name: 'platform__next_issue', arguments: {} });
  await expectRenewal(issue, () => request('tools/list'));
  await expectRenewal(issue, () => request('ping'));
  await expectRenewal(issue, () => request('tools/call', { name: 'server__tool', arguments: {} }));
  const headers = { 'mcp-session-id': id };
  const call = { name: 'platform__my_issues', arguments: {} };
  const batch = [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }];
  await expectRenewal(issue, () => post(agent.at(other), batch, headers));
});

it('is renewed by a call that carries its token, without session and worker', async () => {
  const issue = await anOpenIssue();
  const call = (tool: string, given: object) =>
    modern(agent, 'tools/call', { name: `platform__${tool}`, arguments: given });
  const { leaseToken } = resultIn((await call('next_issue', {})).message);
  const content = 'Half of it is done.';
  await expectRenewal(issue, () => call('add_comment', { issueId: issue.key, content, leaseToken }));
  await expectRenewal(issue, () => call('update_issue', { issueId: issue.key, title: 'New', leaseToken }));
  await setSecondsLeft(issue, 5);
  const late = resultIn((await call('add_comment', { issueId: issue.key, content, leaseToken: 0 })).message);
  expect(late.comment).toMatchObject({ content });
  expect(await secondsLeft(issue)).toBeLessThan(6);
});

it('costs a session without a lease no statement that writes', async () => {
  const { request } = await session(agent);
  const call = () => request('tools/call', { name: 'platform__list_issues', arguments: {} });
  await service.sql('BEGIN');
  await service.sql('LOCK TABLE issue_leases IN SHARE MODE');
  try {
    expect(resultIn((await call()).message)).toMatchObject({ nextCursor: null });
  } finally {
    await service.sql('COMMIT');
  }
});

it.each([{ worker: '' }, { worker: 'x'.repeat(65) }, { worker: 7 }, { leaseToken: 'x' }])(
  'rejects %p',
  async (given) => {
    const params = { name: 'platform__list_issues', arguments: given };
    const { message } = await modern(agent, 'tools/call', params);
    expect(message.result?.structuredContent).toMatchObject({ code: 'validation_failed' });
  },
);
