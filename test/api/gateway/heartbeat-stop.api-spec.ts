import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { aLink, anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { act, expectSuccess, put, read, remove } from '../work/issues/issue-requests.js';
import { sendHeartbeat, pickUp, putHeld, runOut, takeTurn, type Held } from './heartbeat-requests.js';

const service = useService();
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
});
const setHalt = (halted: boolean) => service.owner.put('/api/agents/halt', { halted });
afterEach(async () => {
  await setHalt(false);
});

/** Events that end a worker's right to an issue, with the reason that the worker receives. */
const HAPPENS: Record<
  string,
  [reason: string, what: (issue: Issue, agent: Caller, held: Held) => Promise<unknown>]
> = {
  'a person pauses it': ['paused', (issue) => expectSuccess(act(editor, issue, 'pause'))],
  'it comes to wait': [
    'waiting',
    async (issue) => aLink(editor, issue, await anIssue(editor, project), 'BlockedBy'),
  ],
  'it was paused and comes to wait': [
    'waiting',
    async (issue) => {
      await expectSuccess(act(editor, issue, 'pause'));
      await aLink(editor, issue, await anIssue(editor, project), 'BlockedBy');
    },
  ],
  'it is reassigned to another agent': [
    'reassigned',
    async (issue) => expectSuccess(put(editor, issue, { assignedAgentId: (await asAgent(service)).id })),
  ],
  'its assignee is removed': ['reassigned', (issue) => expectSuccess(put(editor, issue, { assignee: null }))],
  'a person puts it in review': [
    'in_review',
    (issue) => expectSuccess(put(editor, issue, { status: 'PendingReview' })),
  ],
  'its agent hands it in for review': [
    'in_review',
    (_issue, agent, held) => expectSuccess(putHeld(agent, held, { status: 'PendingReview' })),
  ],
  'a person opens it again': ['open', (issue) => expectSuccess(put(editor, issue, { status: 'Open' }))],
  'its agent gives it back': [
    'open',
    (_issue, agent, held) => expectSuccess(putHeld(agent, held, { status: 'Open' })),
  ],
  'it is resolved': ['resolved', (issue) => expectSuccess(put(editor, issue, { status: 'Resolved' }))],
  'it is closed': ['closed', (issue) => expectSuccess(act(editor, issue, 'close'))],
  'it is deleted': ['deleted', (issue) => expectSuccess(remove(editor, issue))],
  'another worker took its lease over': [
    'lease_lost',
    async (issue, agent) => {
      await runOut(service, issue);
      await pickUp(agent, issue);
    },
  ],
  'it was paused and resumed': [
    'paused',
    async (issue) => {
      await expectSuccess(act(editor, issue, 'pause'));
      await expectSuccess(act(editor, issue, 'resume'));
    },
  ],
  'all agents are halted': ['halted', () => setHalt(true)],
  'its agent is disabled': [
    'disabled',
    (_issue, agent) => service.owner.put(`/api/agents/${agent.id}`, { disabled: true }),
  ],
};

describe('a worker must stop', () => {
  it.each(Object.keys(HAPPENS))(
    'when %s: turn and heartbeat return the reason, and the lease is not renewed',
    async (event) => {
      const [reason, happen] = HAPPENS[event]!;
      const agent = await asAgent(service);
      const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
      const held = await pickUp(agent, issue);
      expect(await takeTurn(agent, held)).toMatchObject({ proceed: true, reason: null });
      await happen(issue, agent, held);
      expect(await takeTurn(agent, held)).toMatchObject({ proceed: false, reason, newComments: [] });
      const answer = await sendHeartbeat(agent, { leases: [held], capacity: 0 });
      expect({ stop: answer.stop, active: answer.active, pickedUp: answer.pickedUp }).toEqual({
        stop: [{ issueId: issue.id, reason }],
        active: [],
        pickedUp: [],
      });
    },
  );

  it('when it can no longer see the project: as if the issue were deleted, and without new comments', async () => {
    const agent = await asAgent(service);
    const closed = await aProject(editor, { visibility: 'members' });
    const members = (role: string | null) =>
      service.owner.put(`/api/projects/${closed.id}/members`, { entries: [{ agentId: agent.id, role }] });
    await members('Editor');
    const issue = await anIssue(editor, closed, { assignedAgentId: agent.id });
    const held = await pickUp(agent, issue);
    await members(null);
    await expectSuccess(
      editor.post(`/api/projects/issues/${issue.id}/comments`, { content: 'Behind closed doors' }),
    );
    expect(await takeTurn(agent, held)).toMatchObject({ proceed: false, reason: 'deleted', newComments: [] });
    const answer = await sendHeartbeat(agent, { leases: [held] });
    expect({ stop: answer.stop, active: answer.active }).toEqual({
      stop: [{ issueId: issue.id, reason: 'deleted' }],
      active: [],
    });
    expect((await putHeld(agent, held, { title: 'x' })).status).toBe(404);
  });

  it('on an issue that it never held, and on an id without an issue', async () => {
    const agent = await asAgent(service);
    const foreign = await anIssue(editor, project, { assignedAgentId: (await asAgent(service)).id });
    const unknown = '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff';
    const leases = [foreign.id, unknown, 'nonsense'].map((issueId) => ({ issueId, token: 1 }));
    expect((await sendHeartbeat(agent, { leases })).stop).toEqual([
      { issueId: foreign.id, reason: 'reassigned' },
      { issueId: unknown, reason: 'deleted' },
      { issueId: 'nonsense', reason: 'deleted' },
    ]);
  });

  it('on each of several issues for its own reason, while the others continue', async () => {
    const agent = await asAgent(service);
    const issues = await Promise.all(
      Array.from({ length: 4 }, () => anIssue(editor, project, { assignedAgentId: agent.id })),
    );
    const leases = (await sendHeartbeat(agent)).pickedUp.map(({ issue, lease }) => ({
      issueId: issue.id,
      token: lease.token,
    }));
    await expectSuccess(act(editor, issues[0]!, 'pause'));
    await expectSuccess(act(editor, issues[1]!, 'close'));
    await expectSuccess(remove(editor, issues[2]!));
    const answer = await sendHeartbeat(agent, { leases });
    expect(Object.fromEntries(answer.stop.map(({ issueId, reason }) => [issueId, reason]))).toEqual({
      [issues[0]!.id]: 'paused',
      [issues[1]!.id]: 'closed',
      [issues[2]!.id]: 'deleted',
    });
    expect(answer.active.map(({ issueId }) => issueId)).toEqual([issues[3]!.id]);
  });
});

describe('while all agents are halted, or one is disabled', () => {
  it.each(['halted', 'disabled'])(
    'no work is handed out and no lease renewed (%s), and work continues afterwards',
    async (how) => {
      const agent = await asAgent(service);
      const set = (stopped: boolean) =>
        how === 'halted'
          ? setHalt(stopped)
          : service.owner.put(`/api/agents/${agent.id}`, { disabled: stopped });
      const held = await pickUp(agent, await anIssue(editor, project, { assignedAgentId: agent.id }));
      const waiting = await anIssue(editor, project, { assignedAgentId: agent.id });
      await set(true);
      const before = (await read(editor, { id: held.issueId })).lease;
      expect(await sendHeartbeat(agent, { leases: [held] })).toMatchObject({
        pickedUp: [],
        active: [],
        stop: [{ issueId: held.issueId, reason: how }],
      });
      expect((await sendHeartbeat(agent)).pickedUp).toEqual([]);
      expect((await read(editor, { id: held.issueId })).lease).toEqual(before);
      await set(false);
      const after = await sendHeartbeat(agent, { leases: [held] });
      expect(after.active.map(({ issueId }) => issueId)).toEqual([held.issueId]);
      expect(after.pickedUp.map(({ issue }) => issue.id)).toEqual([waiting.id]);
    },
  );
});
