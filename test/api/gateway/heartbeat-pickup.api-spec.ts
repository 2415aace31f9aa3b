import { beforeAll, describe, expect, it } from '@jest/globals';
import { aLink, anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAdmin, asAgent, asEditor } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import {
  act,
  anIssueIn,
  expectSuccess,
  put,
  read,
  expectRefused,
  expectInvalidPaths,
  remove,
} from '../work/issues/issue-requests.js';
import { sendHeartbeat, leasesOf, pickUp, putHeld } from './heartbeat-requests.js';

const service = useService();
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
});

const titles = (issues: { issue: { title: string } }[]) => issues.map(({ issue }) => issue.title);

describe('a heartbeat', () => {
  it('without work returns the agent, empty lists and the time of the next heartbeat', async () => {
    const agent = await asAgent(service, { maxConcurrentIssues: 3 });
    const idle = await sendHeartbeat(agent);
    expect(idle).toEqual({
      agent: expect.objectContaining({
        id: agent.id,
        name: agent.name,
        maxConcurrentIssues: 3,
        disabled: false,
        activeIssues: 0,
        keyExpiresAt: null,
      }),
      pickedUp: [],
      active: [],
      stop: [],
      suspended: null,
      nextHeartbeatSeconds: expect.any(Number),
    });
    expect(idle.nextHeartbeatSeconds).toBeGreaterThanOrEqual(1);
    const seen = await service.owner.get(`/api/agents/${agent.id}`);
    expect(seen.body['lastHeartbeatAt']).toEqual(expect.any(String));
  });

  it('hands out an open issue, which is then in progress with a lease and its token', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(editor, project, { assignedAgentId: agent.id, description: 'The brief' });
    const given = await sendHeartbeat(agent);
    const after = await read(editor, issue);
    expect(after).toMatchObject({
      status: 'InProgress',
      attempts: 0,
      version: issue.version + 1,
      startedAt: expect.any(String),
    });
    // An agent may not close an issue, so its own transitions are fewer than an Editor's.
    const own = { ...after, allowedTransitions: after.allowedTransitions.filter((to) => to !== 'Closed') };
    const lease = { token: 1, expiresAt: after.lease!.expiresAt };
    expect(given.pickedUp).toEqual([{ issue: own, lease, connect: expect.any(Object), answers: [] }]);
    expect(given.agent.activeIssues).toBe(1);
    expect((await sendHeartbeat(agent)).pickedUp).toEqual([]);
  });

  it('renews the leases that it names and hands out further issues', async () => {
    const agent = await asAgent(service);
    const held = await pickUp(agent, await anIssue(editor, project, { assignedAgentId: agent.id }));
    await service.sql(
      `UPDATE issue_leases SET expires_at = now() + interval '5 seconds' WHERE issue_id = $1`,
      [held.issueId],
    );
    const other = await anIssue(editor, project, { assignedAgentId: agent.id });
    const next = await sendHeartbeat(agent, { leases: [held] });
    const [{ soon }] = (await service.sql(
      `SELECT expires_at < now() + interval '60 seconds' AS soon FROM issue_leases WHERE issue_id = $1`,
      [held.issueId],
    )) as [{ soon: boolean }];
    expect(soon).toBe(false);
    expect(next.active).toEqual([
      {
        issueId: held.issueId,
        expiresAt: (await read(editor, { id: held.issueId })).lease!.expiresAt,
        newComments: [],
        changed: [],
        answers: [],
      },
    ]);
    expect(next.pickedUp.map(({ issue }) => issue.id)).toEqual([other.id]);
    expect(next.agent.activeIssues).toBe(2);
  });

  it('is accepted from the agent itself: others get 403, and no credential returns 401', async () => {
    const [agent, other] = [await asAgent(service), await asAgent(service)];
    for (const path of [`/api/agents/${agent.id}/heartbeat`, `/api/agents/${agent.id}/turns`]) {
      expect((await agent.post(path, {})).status).toBe(200);
      for (const caller of [other, editor, await asAdmin(service), service.owner])
        await expectRefused(caller.post(path, {}), 403, 'forbidden');
    }
    await expectRefused(editor.post('/api/agents/me/heartbeat', {}), 403, 'forbidden');
  });

  it.each([
    [{ capacity: -1 }, 'capacity'],
    [{ capacity: 1001 }, 'capacity'],
    [{ capacity: 1.5 }, 'capacity'],
    [{ capacity: '1' }, 'capacity'],
    [{ capacity: null }, 'capacity'],
    [{ leases: 'x' }, 'leases'],
    [{ leases: [{ issueId: 'x' }] }, 'leases[0].token'],
    [{ leases: [{ token: 1 }] }, 'leases[0].issueId'],
    [{ leases: [{ issueId: 'x', token: -1 }] }, 'leases[0].token'],
    [{ leases: [{ issueId: 'x', token: 1, extra: 1 }] }, 'leases[0].extra'],
    [{ slots: 1 }, 'slots'],
  ])('with %j returns 400 on %s', async (body, path) => {
    await expectInvalidPaths((await asAgent(service)).post('/api/agents/me/heartbeat', body), path);
  });

  it('causes no server error with a token beyond the range of integers', async () => {
    const agent = await asAgent(service);
    const issue = await anIssueIn(editor, project, 'InProgress', { assignedAgentId: agent.id });
    const answer = await agent.post('/api/agents/me/heartbeat', {
      leases: [{ issueId: issue.id, token: 1e300 }],
    });
    expect([200, 400]).toContain(answer.status);
  });
});

describe('the order of work', () => {
  it('is first issues in progress without a lease, then open ones, each by priority, then age', async () => {
    const agent = await asAgent(service);
    const make = (title: string, status: 'Open' | 'InProgress', priority: string) =>
      anIssueIn(editor, project, status, { title, priority, assignedAgentId: agent.id });
    await make('open low', 'Open', 'low');
    await make('open urgent, older', 'Open', 'urgent');
    await make('open urgent, younger', 'Open', 'urgent');
    await make('open none', 'Open', 'none');
    await make('going none', 'InProgress', 'none');
    await make('going high', 'InProgress', 'high');
    expect(titles((await sendHeartbeat(agent, { capacity: 4 })).pickedUp)).toEqual([
      'going high',
      'going none',
      'open urgent, older',
      'open urgent, younger',
    ]);
    expect(titles((await sendHeartbeat(agent)).pickedUp)).toEqual(['open low', 'open none']);
  });
});

describe('the number of issues that are handed out', () => {
  const assign = (agent: Caller, count: number) =>
    Promise.all(Array.from({ length: count }, () => anIssue(editor, project, { assignedAgentId: agent.id })));

  it('is at most capacity, and 0 at capacity 0', async () => {
    const agent = await asAgent(service);
    await assign(agent, 4);
    expect((await sendHeartbeat(agent, { capacity: 0 })).pickedUp).toEqual([]);
    expect((await sendHeartbeat(agent, { capacity: 1 })).pickedUp).toHaveLength(1);
    expect((await sendHeartbeat(agent, { capacity: 1000 })).pickedUp).toHaveLength(3);
  });

  it('is at most maxConcurrentIssues minus the live leases of all workers', async () => {
    const agent = await asAgent(service, { maxConcurrentIssues: 3 });
    await assign(agent, 6);
    const first = await sendHeartbeat(agent, { capacity: 2 });
    expect(first.pickedUp).toHaveLength(2);
    const second = await sendHeartbeat(agent, { capacity: 10 });
    expect(second.pickedUp).toHaveLength(1);
    expect(second.agent.activeIssues).toBe(3);
    expect((await sendHeartbeat(agent, { leases: leasesOf(first) })).pickedUp).toEqual([]);
    await expectSuccess(putHeld(agent, leasesOf(first)[0]!, { status: 'Resolved' }));
    expect((await sendHeartbeat(agent)).pickedUp).toHaveLength(1);
    await service.owner.put(`/api/agents/${agent.id}`, { maxConcurrentIssues: 5 });
    expect((await sendHeartbeat(agent)).pickedUp).toHaveLength(2);
  });

  it('is 10 by default', async () => {
    const agent = await asAgent(service);
    await assign(agent, 12);
    expect((await sendHeartbeat(agent)).pickedUp).toHaveLength(10);
  });
});

describe('an issue is not handed out', () => {
  const nothing = async (agent: Caller) => expect((await sendHeartbeat(agent)).pickedUp).toEqual([]);

  it.each(['WaitingOnDependency', 'PendingReview', 'Resolved', 'Closed', 'paused'] as const)(
    'when it is %s',
    async (status) => {
      const agent = await asAgent(service);
      await anIssueIn(editor, project, status, { assignedAgentId: agent.id });
      await nothing(agent);
    },
  );

  it('when it is assigned to another agent, to a person, or not at all', async () => {
    const agent = await asAgent(service);
    await anIssue(editor, project, { assignedAgentId: (await asAgent(service)).id });
    await anIssue(editor, project, { assigneeUserId: editor.id });
    await anIssue(editor, project);
    await nothing(agent);
  });

  it('while the agent cannot see its project', async () => {
    const agent = await asAgent(service);
    const closed = await aProject(editor, { visibility: 'members' });
    const members = (role: string | null) =>
      service.owner.put(`/api/projects/${closed.id}/members`, { entries: [{ agentId: agent.id, role }] });
    await members('Editor');
    const issue = await anIssue(editor, closed, { assignedAgentId: agent.id });
    await members(null);
    await nothing(agent);
    await members('Viewer');
    await pickUp(agent, issue);
  });
});

describe('work comes back to its agent on the next heartbeat', () => {
  let agent: Caller;
  let issue: Issue;
  beforeAll(async () => {
    agent = await asAgent(service);
    issue = await anIssue(editor, project, { assignedAgentId: agent.id });
  });

  it('when the last blocker is resolved', async () => {
    const blocker = await anIssue(editor, project);
    await aLink(editor, blocker, issue);
    expect((await sendHeartbeat(agent)).pickedUp).toEqual([]);
    await expectSuccess(put(editor, blocker, { status: 'Resolved' }));
    await pickUp(agent, issue);
  });

  it('when it was paused and resumed, with a new token and no further attempt', async () => {
    await expectSuccess(act(editor, issue, 'pause'));
    expect((await sendHeartbeat(agent)).pickedUp).toEqual([]);
    await expectSuccess(act(editor, issue, 'resume'));
    const again = await sendHeartbeat(agent);
    expect(again.pickedUp).toMatchObject([
      { issue: { id: issue.id, status: 'InProgress', attempts: 0 }, lease: { token: 2 } },
    ]);
  });

  it('when a reviewer requests changes', async () => {
    await expectSuccess(put(editor, issue, { status: 'PendingReview' }));
    expect((await sendHeartbeat(agent)).pickedUp).toEqual([]);
    await expectSuccess(put(editor, issue, { status: 'Open' }));
    await pickUp(agent, issue);
  });

  it('when it is in progress and reassigned to another agent', async () => {
    const other = await asAgent(service);
    await expectSuccess(put(editor, issue, { assignedAgentId: other.id }));
    expect((await sendHeartbeat(agent)).pickedUp).toEqual([]);
    expect((await sendHeartbeat(other)).pickedUp).toMatchObject([
      { issue: { id: issue.id, status: 'InProgress', attempts: 0 } },
    ]);
  });

  it('but never after it is deleted', async () => {
    await expectSuccess(put(editor, issue, { assignedAgentId: agent.id }));
    await expectSuccess(remove(editor, issue));
    expect((await sendHeartbeat(agent)).pickedUp).toEqual([]);
  });
});
