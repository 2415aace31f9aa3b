import { beforeAll, describe, expect, it } from '@jest/globals';
import { aLink, anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { fileForm } from '../platform/access/access-world.js';
import {
  act,
  expectInvalidPaths,
  expectRefused,
  expectSuccess,
  put,
  read,
} from '../work/issues/issue-requests.js';
import { pickUp, putHeld, runOut, sendHeartbeat, type Heartbeat, type Held } from './heartbeat-requests.js';

const service = useService({ settings: { MAX_ATTEMPTS: '3' } });
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
});

async function someWork(): Promise<{ agent: Caller; issue: Issue; held: Held }> {
  const agent = await asAgent(service);
  const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
  return { agent, issue, held: await pickUp(agent, issue) };
}
const finish = (agent: Caller, { issueId, token }: Held, body: object = {}) =>
  agent.post(`/api/projects/issues/${issueId}/finish`, { token, status: 'Resolved', ...body });
const release = (agent: Caller, { issueId, token }: Held, body: object = {}) =>
  agent.post(`/api/projects/issues/${issueId}/release`, { token, ...body });
const commentsOn = async (issue: Issue) =>
  (await editor.get<{ content: string }[]>(`/api/projects/issues/${issue.id}/comments`)).body;
const activityOf = async (issue: Issue) =>
  (
    await editor.get<{ type: string; data: Record<string, unknown> }[]>(
      `/api/projects/issues/${issue.id}/activity`,
    )
  ).body;

async function pauseAndResume(issue: Issue): Promise<void> {
  for (const action of ['pause', 'resume']) await expectSuccess(act(editor, issue, action));
}
async function blockAndUnblock(issue: Issue): Promise<void> {
  const blocker = await anIssue(editor, project);
  await aLink(editor, blocker, issue);
  await expectSuccess(put(editor, blocker, { status: 'Resolved' }));
}

describe('finish', () => {
  it('sets the status, writes the comment and names the files, in one request', async () => {
    const { agent, issue, held } = await someWork();
    const waiting = await anIssue(editor, project);
    await aLink(editor, issue, waiting);
    const file = await agent.post(`/api/projects/issues/${issue.id}/attachments`, undefined, {
      multipart: fileForm(),
    });
    const body = { comment: 'All done.', attachmentIds: [file.body['id']], reason: 'complete' };
    const { status, body: done } = await finish(agent, held, body);
    expect({ status, done }).toMatchObject({
      status: 200,
      done: {
        issue: { id: issue.id, status: 'Resolved', lease: null, allowedTransitions: [] },
        commentId: expect.any(String),
        attachmentIds: [file.body['id']],
      },
    });
    expect(await commentsOn(issue)).toMatchObject([{ content: 'All done.' }]);
    expect(await read(editor, issue)).toMatchObject({ status: 'Resolved' });
    expect(await read(editor, waiting)).toMatchObject({ status: 'Open' });
    expect((await activityOf(issue)).at(-1)).toMatchObject({
      type: 'issue.status_changed',
      data: { new: 'Resolved', cause: 'put', reason: 'complete' },
    });
  });

  it('returns the same response to the same request again, and does nothing more', async () => {
    const { agent, issue, held } = await someWork();
    const first = await finish(agent, held, { comment: 'Once.' });
    await expectSuccess(put(editor, issue, { title: 'Changed since' }));
    const again = await finish(agent, held, { comment: 'Once.' });
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body });
    expect(await commentsOn(issue)).toHaveLength(1);
  });

  it('has one effect when it is sent many times at once', async () => {
    const { agent, issue, held } = await someWork();
    const all = await Promise.all(Array.from({ length: 8 }, () => finish(agent, held, { comment: 'Once.' })));
    expect(new Set(all.map(({ text }) => text)).size).toBe(1);
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
    expect(await commentsOn(issue)).toHaveLength(1);
  });

  it('with another body after the lease ended is lease_lost with the reason', async () => {
    const { agent, held } = await someWork();
    await expectSuccess(finish(agent, held));
    expect(await expectRefused(finish(agent, held, { comment: 'more' }), 409, 'lease_lost')).toMatchObject({
      reason: 'resolved',
    });
  });

  it('writes nothing when it is refused', async () => {
    const { agent, issue, held } = await someWork();
    const other = await anIssue(editor, project);
    const file = await editor.post(`/api/projects/issues/${other.id}/attachments`, undefined, {
      multipart: fileForm(),
    });
    const body = { comment: 'x', attachmentIds: [file.body['id'], 'nonsense'] };
    await expectInvalidPaths(finish(agent, held, body), 'attachmentIds[0]', 'attachmentIds[1]');
    await expectRefused(finish(agent, { ...held, token: 7 }, { comment: 'x' }), 409, 'lease_lost');
    expect(await commentsOn(issue)).toEqual([]);
    expect(await read(editor, issue)).toMatchObject({ status: 'InProgress' });
  });

  it('with Open gives the issue back, counts an attempt, and reaches a person at MAX_ATTEMPTS', async () => {
    const { agent, issue, held } = await someWork();
    expect((await finish(agent, held, { status: 'Open' })).body).toMatchObject({
      issue: { status: 'Open', attempts: 1 },
    });
    expect((await sendHeartbeat(agent)).pickedUp).toEqual([]);
    await service.sql('UPDATE issues SET given_back_until = now(), attempts = 2 WHERE id = $1', [issue.id]);
    const next = await pickUp(agent, issue);
    expect((await finish(agent, next, { status: 'Open' })).body).toMatchObject({
      issue: { status: 'PendingReview', attempts: 3 },
    });
  });

  it('of a paused issue is accepted as PendingReview from its last holder, and as nothing else', async () => {
    const { agent, issue, held } = await someWork();
    await expectSuccess(act(editor, issue, 'pause'));
    for (const status of ['Resolved', 'Open'])
      expect(await expectRefused(finish(agent, held, { status }), 409, 'lease_lost')).toMatchObject({
        reason: 'paused',
      });
    const handedIn = await finish(agent, held, { status: 'PendingReview', comment: 'It was done already.' });
    expect(handedIn).toMatchObject({
      status: 200,
      body: { issue: { status: 'PendingReview', paused: false } },
    });
    expect(await commentsOn(issue)).toHaveLength(1);
    expect(
      await finish(agent, held, { status: 'PendingReview', comment: 'It was done already.' }),
    ).toMatchObject({
      status: 200,
      body: handedIn.body,
    });
  });

  it('of an issue that got a blocker in the turn is kept, and goes to a review once nothing blocks it', async () => {
    const { agent, issue, held } = await someWork();
    const blocker = await anIssue(editor, project);
    await aLink(editor, blocker, issue);
    for (const status of ['Resolved', 'Open'])
      expect(await expectRefused(finish(agent, held, { status }), 409, 'lease_lost')).toMatchObject({
        reason: 'waiting',
      });
    const done = { status: 'PendingReview', comment: 'It was done already.', reason: 'Done.' };
    const handedIn = await finish(agent, held, done);
    expect(handedIn).toMatchObject({ status: 200, body: { issue: { status: 'WaitingOnDependency' } } });
    expect(await finish(agent, held, done)).toMatchObject({ status: 200, body: handedIn.body });
    expect(await commentsOn(issue)).toMatchObject([{ content: 'It was done already.' }]);
    expect((await activityOf(issue)).at(-1)).toMatchObject({ data: { cause: 'handed_in', reason: 'Done.' } });
    const { next } = (await editor.get(`/api/projects/issues/${issue.id}/explain`)).body;
    expect(next).toContain('its finished work goes to a review');
    await expectSuccess(put(editor, blocker, { status: 'Resolved' }));
    expect(await read(editor, issue)).toMatchObject({ status: 'PendingReview', paused: false });
  });

  it('is handed in by a change of the status too, as an agent does that has MCP alone', async () => {
    const { agent, issue, held } = await someWork();
    const blocker = await anIssue(editor, project);
    await aLink(editor, blocker, issue);
    const done = { status: 'PendingReview' };
    for (const fields of [{ status: 'Resolved' }, { ...done, title: 'Another one' }])
      await expectRefused(putHeld(agent, held, fields), 409, 'lease_lost');
    await expectRefused(putHeld(agent, { ...held, token: held.token - 1 }, done), 409, 'lease_lost');
    for (const _ of ['first', 'again'])
      expect((await putHeld(agent, held, done)).body).toMatchObject({ status: 'WaitingOnDependency' });
    expect((await activityOf(issue)).at(-1)).toMatchObject({ data: { cause: 'handed_in' } });
    await expectSuccess(put(editor, blocker, { status: 'Resolved' }));
    expect(await read(editor, issue)).toMatchObject({ status: 'PendingReview' });
  });

  it('of an issue that a person paused and a budget or question holds is kept in the same way', async () => {
    const { agent, issue, held } = await someWork();
    await expectSuccess(act(editor, issue, 'pause'));
    const gate = await editor.post(`/api/projects/issues/${issue.id}/gates`, { question: 'Which?' });
    await expectSuccess(finish(agent, held, { status: 'PendingReview' }));
    await expectSuccess(
      editor.post(`/api/projects/gates/${String(gate.body['id'])}/answer`, { text: 'This.' }),
    );
    expect(await read(editor, issue)).toMatchObject({ status: 'PendingReview', paused: false });
  });

  it.each([
    ['pause and a resume', 'InProgress', (issue: Issue) => pauseAndResume(issue)],
    ['blocker that is resolved already', 'Open', (issue: Issue) => blockAndUnblock(issue)],
  ])('after a %s in the turn is accepted as PendingReview', async (_, status, happen) => {
    const { agent, issue, held } = await someWork();
    await happen(issue);
    expect(await read(editor, issue)).toMatchObject({ status });
    expect((await finish(agent, held, { status: 'PendingReview' })).body).toMatchObject({
      issue: { status: 'PendingReview' },
    });
  });

  it('of an issue that was handed in once is not handed in again when it is opened and waits again', async () => {
    const { agent, issue, held } = await someWork();
    const blocker = await anIssue(editor, project);
    await aLink(editor, blocker, issue);
    await expectSuccess(finish(agent, held, { status: 'PendingReview' }));
    await expectSuccess(put(editor, blocker, { status: 'Resolved' }));
    await expectSuccess(put(editor, issue, { status: 'Open' }));
    await expectSuccess(put(editor, blocker, { status: 'Open' }));
    expect(await read(editor, issue)).toMatchObject({ status: 'WaitingOnDependency' });
    await expectSuccess(put(editor, blocker, { status: 'Resolved' }));
    expect(await read(editor, issue)).toMatchObject({ status: 'Open' });
  });

  it('of a paused issue is refused to one who gave it back before', async () => {
    const { agent, issue, held } = await someWork();
    await expectSuccess(release(agent, held));
    await expectSuccess(put(editor, issue, { status: 'InProgress' }));
    await expectSuccess(act(editor, issue, 'pause'));
    await expectRefused(finish(agent, held, { status: 'PendingReview' }), 409, 'lease_lost');
  });

  it.each<[string, string, (issue: Issue) => Promise<unknown>]>([
    ['waiting', 'it waits', async (issue) => aLink(editor, await anIssue(editor, project), issue)],
    ['closed', 'it was closed', (issue) => expectSuccess(act(editor, issue, 'close'))],
    [
      'reassigned',
      'it was reassigned',
      async (issue) => expectSuccess(put(editor, issue, { assignedAgentId: (await asAgent(service)).id })),
    ],
    [
      'in_review',
      'it is in review',
      (issue) => expectSuccess(put(editor, issue, { status: 'PendingReview' })),
    ],
  ])('is lease_lost with the reason %s when %s', async (reason, _why, happen) => {
    const { agent, issue, held } = await someWork();
    await happen(issue);
    expect(await expectRefused(finish(agent, held, { comment: 'x' }), 409, 'lease_lost')).toMatchObject({
      reason,
    });
    expect(await commentsOn(issue)).toEqual([]);
  });

  it('is not_yours for an agent that never had it, and 403 for a person', async () => {
    const { issue, held } = await someWork();
    await expectRefused(finish(await asAgent(service), held), 403, 'not_yours');
    await expectRefused(finish(service.owner, held), 403, 'forbidden');
    expect(await read(editor, issue)).toMatchObject({ status: 'InProgress' });
  });

  it('takes the token of a lease that ran out while no worker has taken the issue over', async () => {
    const { agent, issue, held } = await someWork();
    await runOut(service, issue);
    expect((await finish(agent, held)).status).toBe(200);
  });

  it.each([
    [{ status: 'Closed' }, 'status'],
    [{ token: 'x' }, 'token'],
    [{ comment: '' }, 'comment'],
    [{ attachmentIds: 'x' }, 'attachmentIds'],
    [{ other: 1 }, 'other'],
  ])('with %j is 400 on %s', async (body, path) => {
    const { agent, held } = await someWork();
    await expectInvalidPaths(finish(agent, held, body), path);
  });
});

describe('release', () => {
  it('gives the issue back without an attempt, and the agent gets it again after a second', async () => {
    const { agent, issue, held } = await someWork();
    const first = await release(agent, held, { reason: 'The worker restarts.' });
    expect(first).toMatchObject({
      status: 200,
      body: { issue: { status: 'Open', attempts: 0, lease: null } },
    });
    expect((await activityOf(issue)).at(-1)).toMatchObject({
      data: { new: 'Open', cause: 'released', reason: 'The worker restarts.' },
    });
    const { body } = await agent.post<Heartbeat>('/api/agents/me/heartbeat?wait=20', {});
    expect(body.pickedUp).toMatchObject([{ issue: { id: issue.id }, lease: { token: held.token + 1 } }]);
    expect((await release(agent, held, { reason: 'The worker restarts.' })).body).toEqual(first.body);
    expect(await read(editor, issue)).toMatchObject({ status: 'InProgress' });
  });

  it('is lease_lost once the lease has ended in another way', async () => {
    const { agent, issue, held } = await someWork();
    await expectSuccess(act(editor, issue, 'pause'));
    expect(await expectRefused(release(agent, held), 409, 'lease_lost')).toMatchObject({ reason: 'paused' });
  });
});

describe('a PUT that finishes an issue', () => {
  it.each(['Resolved', 'PendingReview', 'Open'])('to %s is 200 again for the same lease', async (status) => {
    const { agent, issue, held } = await someWork();
    const { version } = (await putHeld(agent, held, { status })).body;
    expect((await putHeld(agent, held, { status })).body).toMatchObject({ status, version });
    expect(await read(editor, issue)).toMatchObject({ status, version });
  });

  it('is lease_lost with the reason when a person resolved the issue', async () => {
    const { agent, issue, held } = await someWork();
    await expectSuccess(put(editor, issue, { status: 'Resolved' }));
    expect(
      await expectRefused(putHeld(agent, held, { status: 'Resolved' }), 409, 'lease_lost'),
    ).toMatchObject({
      reason: 'resolved',
    });
  });
});

describe('allowedTransitions', () => {
  it("are the agent's own for its agent, none for another agent, and a person's for a person", async () => {
    const { agent, issue } = await someWork();
    expect((await read(agent, issue)).allowedTransitions).toEqual(['Open', 'PendingReview', 'Resolved']);
    expect((await read(await asAgent(service), issue)).allowedTransitions).toEqual([]);
    expect((await read(editor, issue)).allowedTransitions).toEqual([
      'Open',
      'PendingReview',
      'Resolved',
      'Closed',
    ]);
  });

  it('are accepted in a PUT as the agent read them', async () => {
    const { agent, issue, held } = await someWork();
    const { allowedTransitions } = await read(agent, issue);
    expect((await putHeld(agent, held, { allowedTransitions, title: 'x' })).status).toBe(200);
  });
});
