import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { aComment, aLink, anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import { fileForm } from '../platform/access/access-world.js';
import { act, expectSuccess, put, read, remove } from '../work/issues/issue-requests.js';
import { putHeld, runOut, sendHeartbeat, takeTurn, type Held } from './heartbeat-requests.js';

const service = useService();
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
});
const setHalt = (halted: boolean) => service.owner.put('/api/agents/halt', { halted });
const disable = (agent: Caller, disabled: boolean) =>
  service.owner.put(`/api/agents/${agent.id}`, { disabled });
afterEach(async () => {
  await setHalt(false);
});

interface Row {
  event: string;
  happen: (issue: Issue, agent: Caller) => Promise<unknown>;
  /** The reason to stop; null to go on. */
  reason: string | null;
  changed?: string[];
  comments?: number;
  /** Status, code and reason of the agent's PUT of Resolved. */
  put: [status: number, code?: string, reason?: string];
}

const setting = (fields: object) => (issue: Issue) => expectSuccess(put(editor, issue, { ...fields }));
const acting = (action: string) => (issue: Issue) => expectSuccess(act(editor, issue, action));
const lost = (reason: string): Row['put'] => [409, 'lease_lost', reason];
const goesOn = { reason: null, put: [200] as Row['put'] };

const ROWS: Row[] = [
  { event: 'a comment', happen: (issue) => aComment(editor, issue), ...goesOn, comments: 1 },
  { event: 'a new title', happen: setting({ title: 'New' }), ...goesOn, changed: ['title'] },
  {
    event: 'a new description',
    happen: setting({ description: 'New' }),
    ...goesOn,
    changed: ['description'],
  },
  { event: 'a new priority', happen: setting({ priority: 'urgent' }), ...goesOn, changed: ['priority'] },
  {
    event: 'a file',
    happen: (issue) =>
      expectSuccess(
        editor.post(`/api/projects/issues/${issue.id}/attachments`, undefined, { multipart: fileForm() }),
      ),
    ...goesOn,
    changed: ['attachments'],
  },
  {
    event: 'a person who answers for it',
    happen: (issue) => expectSuccess(put(editor, issue, { assigneeUserId: editor.id })),
    ...goesOn,
  },
  { event: 'a pause', happen: acting('pause'), reason: 'paused', put: lost('paused') },
  {
    event: 'a pause and a resume',
    happen: async (issue) => {
      await acting('pause')(issue);
      await acting('resume')(issue);
    },
    reason: 'paused',
    put: lost('paused'),
  },
  {
    event: 'reassignment',
    happen: async (issue) => setting({ assignedAgentId: (await asAgent(service)).id })(issue),
    reason: 'reassigned',
    put: [403, 'not_yours'],
  },
  {
    event: 'no assignee',
    happen: setting({ assignee: null }),
    reason: 'reassigned',
    put: [403, 'not_yours'],
  },
  {
    event: 'a blocker',
    happen: async (issue) => aLink(editor, await anIssue(editor, project), issue),
    reason: 'waiting',
    put: lost('waiting'),
  },
  { event: 'PUT Open', happen: setting({ status: 'Open' }), reason: 'open', put: lost('open') },
  {
    event: 'PUT PendingReview',
    happen: setting({ status: 'PendingReview' }),
    reason: 'in_review',
    put: lost('in_review'),
  },
  {
    event: 'PUT Resolved',
    happen: setting({ status: 'Resolved' }),
    reason: 'resolved',
    put: lost('resolved'),
  },
  { event: 'close', happen: acting('close'), reason: 'closed', put: lost('closed') },
  {
    event: 'deletion',
    happen: (issue) => expectSuccess(remove(editor, issue)),
    reason: 'deleted',
    put: [404, 'not_found'],
  },
  {
    event: 'a project that became members-only',
    happen: ({ projectId }) =>
      expectSuccess(editor.put(`/api/projects/${projectId}`, { visibility: 'members' })),
    reason: 'deleted',
    put: [404, 'not_found'],
  },
  {
    event: 'a question of the agent',
    happen: ({ id }, agent) =>
      expectSuccess(agent.post(`/api/projects/issues/${id}/gates`, { question: 'May I?' })),
    reason: 'waiting',
    put: lost('waiting'),
  },
  {
    event: 'take-over by another worker',
    happen: async (issue, agent) => {
      await runOut(service, issue);
      expect((await sendHeartbeat(agent, { worker: 'other' })).pickedUp).toHaveLength(1);
    },
    reason: 'lease_lost',
    put: lost('lease_lost'),
  },
  {
    event: 'a disabled agent',
    happen: (_issue, agent) => disable(agent, true),
    reason: 'disabled',
    put: [403, 'agent_disabled'],
  },
  { event: 'a halt', happen: () => setHalt(true), reason: 'halted', put: [200] },
  {
    event: 'a halt that ended',
    happen: async () => {
      await setHalt(true);
      await setHalt(false);
    },
    ...goesOn,
  },
  {
    event: 'an agent that was enabled again',
    happen: async (_issue, agent) => {
      await disable(agent, true);
      await disable(agent, false);
    },
    ...goesOn,
  },
  ...(['agent', 'project', 'issue'] as const).map((scope) => ({
    event: `a used-up budget of the ${scope}`,
    happen: (issue: Issue, agent: Caller) => useUp(scope, issue, agent),
    reason: 'budget',
    put: lost('budget'),
  })),
  { event: 'a lease that ran out', happen: (issue) => runOut(service, issue), ...goesOn },
];

async function useUp(scope: 'agent' | 'project' | 'issue', issue: Issue, agent: Caller): Promise<void> {
  const place = {
    agent: `agents/${agent.id}`,
    project: `projects/${issue.projectId}`,
    issue: `projects/issues/${issue.id}`,
  }[scope];
  await expectSuccess(service.owner.put(`/api/${place}/budget`, { tokens: 1, period: 'day' }));
  const report = { reportId: randomUUID(), issueId: issue.id, inputTokens: 1, outputTokens: 0 };
  await sendHeartbeat(agent, { capacity: 0, usage: [report] });
}

async function started(): Promise<{ agent: Caller; issue: Issue; held: Held }> {
  const agent = await asAgent(service);
  const issue = await anIssue(editor, await aProject(editor), { assignedAgentId: agent.id });
  const { work } = await sendHeartbeat(agent, { worker: 'w' });
  return { agent, issue, held: { issueId: issue.id, token: work![0]!.token } };
}

describe('what a worker receives for each event', () => {
  it.each(ROWS.map((row) => [row.event, row] as const))('after %s: by heartbeat', async (_event, row) => {
    const { agent, issue, held } = await started();
    await row.happen(issue, agent);
    const { work, stop, active } = await sendHeartbeat(agent, { worker: 'w', leases: [held], capacity: 0 });
    const { reason, changed = [], comments = 0 } = row;
    expect(work).toMatchObject([{ ...held, state: reason === null ? 'continue' : 'stop', reason, changed }]);
    expect(work![0]!.newComments).toHaveLength(comments);
    expect(stop).toEqual(reason === null ? [] : [{ issueId: issue.id, reason }]);
    expect(active).toHaveLength(reason === null ? 1 : 0);
  });

  it.each(ROWS.map((row) => [row.event, row] as const))('after %s: by turn', async (_event, row) => {
    const { agent, issue, held } = await started();
    await row.happen(issue, agent);
    const turn = await takeTurn(agent, held);
    const { reason, changed = [], comments = 0 } = row;
    expect(turn).toMatchObject({ proceed: reason === null, reason, changed });
    expect(turn.newComments).toHaveLength(comments);
  });

  it.each(ROWS.map((row) => [row.event, row] as const))('after %s: by PUT', async (_event, row) => {
    const { agent, issue, held } = await started();
    await row.happen(issue, agent);
    const { status, body } = await putHeld(agent, held, { status: 'Resolved' });
    const { code, reason } = body as unknown as { code?: string; reason?: string };
    expect([status, ...(code ? [code] : []), ...(reason ? [reason] : [])]).toEqual(row.put);
  });

  it.each(ROWS.filter((row) => row.reason !== null && row.put[2]).map((row) => [row.event, row] as const))(
    'after %s: by finish',
    async (_event, row) => {
      const { agent, issue, held } = await started();
      await row.happen(issue, agent);
      const end = { token: held.token, status: 'Resolved' };
      expect(await agent.post(`/api/projects/issues/${issue.id}/finish`, end)).toMatchObject({
        status: 409,
        body: { code: 'lease_lost', reason: row.reason },
      });
    },
  );

  it('is 401 everywhere after the agent was retired', async () => {
    const { agent, held } = await started();
    await expectSuccess(service.owner.delete(`/api/agents/${agent.id}`));
    for (const answer of [
      await agent.post('/api/agents/me/heartbeat', { worker: 'w', leases: [held] }),
      await agent.post('/api/agents/me/turns', held),
      await putHeld(agent, held, { status: 'Resolved' }),
    ])
      expect(answer).toMatchObject(refused(401, 'unauthenticated'));
  });

  it('is nothing for a while after the agent gave the issue back, which counts an attempt', async () => {
    const { agent, issue, held } = await started();
    await expectSuccess(putHeld(agent, held, { status: 'Open' }));
    expect(await sendHeartbeat(agent, { worker: 'w' })).toMatchObject({ work: [], pickedUp: [], stop: [] });
    expect((await read(editor, issue)).attempts).toBe(1);
    const { body } = await editor.get(`/api/projects/issues/${issue.id}/explain`);
    expect(String(body.reason)).toBe('given_back');
  });
});
