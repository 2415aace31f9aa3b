import { beforeAll, describe, expect, it } from '@jest/globals';
import { aLink, anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAdmin, asAgent, asEditor } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { act, anIssueIn, must, put, read, refused, refusedPaths, remove } from '../work/issues/issue-acts.js';
import { beat, leasesOf, pickUp, putHeld } from './heartbeat-acts.js';

const service = useService();
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
});

const titles = (issues: { issue: { title: string } }[]) => issues.map(({ issue }) => issue.title);

describe('a heartbeat', () => {
  it('with nothing to do tells the agent, no work, and when to come again', async () => {
    const agent = await asAgent(service, { maxConcurrentIssues: 3 });
    const idle = await beat(agent);
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
      nextHeartbeatSeconds: expect.any(Number),
    });
    expect(idle.nextHeartbeatSeconds).toBeGreaterThanOrEqual(1);
    const seen = await service.owner.get(`/api/agents/${agent.id}`);
    expect(seen.body['lastHeartbeatAt']).toEqual(expect.any(String));
  });

  it('hands out an open issue: in progress, with a lease and its token', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(editor, project, { assignedAgentId: agent.id, description: 'The brief' });
    const given = await beat(agent);
    const after = await read(editor, issue);
    expect(after).toMatchObject({
      status: 'InProgress',
      attempts: 0,
      version: issue.version + 1,
      startedAt: expect.any(String),
    });
    expect(given.pickedUp).toEqual([
      { issue: after, lease: { token: 1, expiresAt: after.lease!.expiresAt } },
    ]);
    expect(given.agent.activeIssues).toBe(1);
    expect((await beat(agent)).pickedUp).toEqual([]);
  });

  it('renews the leases that it names and hands out more beside them', async () => {
    const agent = await asAgent(service);
    const held = await pickUp(agent, await anIssue(editor, project, { assignedAgentId: agent.id }));
    await service.sql(
      `UPDATE issue_leases SET expires_at = now() + interval '5 seconds' WHERE issue_id = $1`,
      [held.issueId],
    );
    const other = await anIssue(editor, project, { assignedAgentId: agent.id });
    const next = await beat(agent, { leases: [held] });
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
      },
    ]);
    expect(next.pickedUp.map(({ issue }) => issue.id)).toEqual([other.id]);
    expect(next.agent.activeIssues).toBe(2);
  });

  it('is for the agent itself: others are 403, nobody is 401', async () => {
    const [agent, other] = [await asAgent(service), await asAgent(service)];
    for (const path of [`/api/agents/${agent.id}/heartbeat`, `/api/agents/${agent.id}/turns`]) {
      expect((await agent.post(path, {})).status).toBe(200);
      for (const caller of [other, editor, await asAdmin(service), service.owner])
        await refused(caller.post(path, {}), 403, 'forbidden');
    }
    await refused(editor.post('/api/agents/me/heartbeat', {}), 403, 'forbidden');
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
  ])('with %j is 400 on %s', async (body, path) => {
    await refusedPaths((await asAgent(service)).post('/api/agents/me/heartbeat', body), path);
  });

  it('takes no token for good that is beyond all numbers', async () => {
    const agent = await asAgent(service);
    const issue = await anIssueIn(editor, project, 'InProgress', { assignedAgentId: agent.id });
    const answer = await agent.post('/api/agents/me/heartbeat', {
      leases: [{ issueId: issue.id, token: 1e300 }],
    });
    expect([200, 400]).toContain(answer.status);
  });
});

describe('the order of work', () => {
  it('is first what is in progress without a lease, then what is open, each by priority, then age', async () => {
    const agent = await asAgent(service);
    const make = (title: string, status: 'Open' | 'InProgress', priority: string) =>
      anIssueIn(editor, project, status, { title, priority, assignedAgentId: agent.id });
    await make('open low', 'Open', 'low');
    await make('open urgent, older', 'Open', 'urgent');
    await make('open urgent, younger', 'Open', 'urgent');
    await make('open none', 'Open', 'none');
    await make('going none', 'InProgress', 'none');
    await make('going high', 'InProgress', 'high');
    expect(titles((await beat(agent, { capacity: 4 })).pickedUp)).toEqual([
      'going high',
      'going none',
      'open urgent, older',
      'open urgent, younger',
    ]);
    expect(titles((await beat(agent)).pickedUp)).toEqual(['open low', 'open none']);
  });
});

describe('how much is handed out', () => {
  const assign = (agent: Caller, count: number) =>
    Promise.all(Array.from({ length: count }, () => anIssue(editor, project, { assignedAgentId: agent.id })));

  it('is at most capacity, and nothing at 0', async () => {
    const agent = await asAgent(service);
    await assign(agent, 4);
    expect((await beat(agent, { capacity: 0 })).pickedUp).toEqual([]);
    expect((await beat(agent, { capacity: 1 })).pickedUp).toHaveLength(1);
    expect((await beat(agent, { capacity: 1000 })).pickedUp).toHaveLength(3);
  });

  it('is at most maxConcurrentIssues less the live leases, whoever of the workers holds them', async () => {
    const agent = await asAgent(service, { maxConcurrentIssues: 3 });
    await assign(agent, 6);
    const first = await beat(agent, { capacity: 2 });
    expect(first.pickedUp).toHaveLength(2);
    const second = await beat(agent, { capacity: 10 });
    expect(second.pickedUp).toHaveLength(1);
    expect(second.agent.activeIssues).toBe(3);
    expect((await beat(agent, { leases: leasesOf(first) })).pickedUp).toEqual([]);
    await must(putHeld(agent, leasesOf(first)[0]!, { status: 'Resolved' }));
    expect((await beat(agent)).pickedUp).toHaveLength(1);
    await service.owner.put(`/api/agents/${agent.id}`, { maxConcurrentIssues: 5 });
    expect((await beat(agent)).pickedUp).toHaveLength(2);
  });

  it('is 10 by default', async () => {
    const agent = await asAgent(service);
    await assign(agent, 12);
    expect((await beat(agent)).pickedUp).toHaveLength(10);
  });
});

describe('what is not handed out', () => {
  const nothing = async (agent: Caller) => expect((await beat(agent)).pickedUp).toEqual([]);

  it.each(['WaitingOnDependency', 'PendingReview', 'Resolved', 'Closed', 'paused'] as const)(
    'is an issue that is %s',
    async (status) => {
      const agent = await asAgent(service);
      await anIssueIn(editor, project, status, { assignedAgentId: agent.id });
      await nothing(agent);
    },
  );

  it('is an issue of another agent, of a person, or of nobody', async () => {
    const agent = await asAgent(service);
    await anIssue(editor, project, { assignedAgentId: (await asAgent(service)).id });
    await anIssue(editor, project, { assigneeUserId: editor.id });
    await anIssue(editor, project);
    await nothing(agent);
  });

  it('is an issue in a project that the agent does not see, until it does', async () => {
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
    expect((await beat(agent)).pickedUp).toEqual([]);
    await must(put(editor, blocker, { status: 'Resolved' }));
    await pickUp(agent, issue);
  });

  it('when it was paused and resumed, with a new token and no attempt counted', async () => {
    await must(act(editor, issue, 'pause'));
    expect((await beat(agent)).pickedUp).toEqual([]);
    await must(act(editor, issue, 'resume'));
    const again = await beat(agent);
    expect(again.pickedUp).toMatchObject([
      { issue: { id: issue.id, status: 'InProgress', attempts: 0 }, lease: { token: 2 } },
    ]);
  });

  it('when a reviewer wants changes', async () => {
    await must(put(editor, issue, { status: 'PendingReview' }));
    expect((await beat(agent)).pickedUp).toEqual([]);
    await must(put(editor, issue, { status: 'Open' }));
    await pickUp(agent, issue);
  });

  it('when it is reassigned to another agent, in progress as it is', async () => {
    const other = await asAgent(service);
    await must(put(editor, issue, { assignedAgentId: other.id }));
    expect((await beat(agent)).pickedUp).toEqual([]);
    expect((await beat(other)).pickedUp).toMatchObject([
      { issue: { id: issue.id, status: 'InProgress', attempts: 0 } },
    ]);
  });

  it('never once it is deleted', async () => {
    await must(put(editor, issue, { assignedAgentId: agent.id }));
    await must(remove(editor, issue));
    expect((await beat(agent)).pickedUp).toEqual([]);
  });
});
