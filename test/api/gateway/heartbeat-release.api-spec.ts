import { beforeAll, describe, expect, it } from '@jest/globals';
import { aComment, aLink, anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { fileForm } from '../platform/access/access-world.js';
import { act, expectInvalidPaths, expectSuccess, put } from '../work/issues/issue-requests.js';
import { pickUp, sendHeartbeat, type Heartbeat, type Held } from './heartbeat-requests.js';

const service = useService();
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
});

const release = (agent: Caller, { issueId, token }: Held, body: object = {}) =>
  expectSuccess(agent.post(`/api/projects/issues/${issueId}/release`, { token, ...body }));

const waitOf = async ({ id }: { id: string }) => {
  const [row] = await service.sql<{ left: number | null; releases: number }>(
    'SELECT extract(epoch FROM given_back_until - now())::float AS left, releases FROM issues WHERE id = $1',
    [id],
  );
  return row!;
};

/** Ends the wait by time, as if it had passed. */
const waited = ({ id }: { id: string }) =>
  service.sql(`UPDATE issues SET given_back_until = now() - interval '1 second' WHERE id = $1`, [id]);

const explained = async ({ id }: { id: string }) =>
  (await editor.get(`/api/projects/issues/${id}/explain`)).body;

/** An issue that its agent has released, and does not get for an hour. */
async function released(retryAfterSeconds = 3600): Promise<{ agent: Caller; issue: Issue }> {
  const agent = await asAgent(service);
  const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
  await release(agent, await pickUp(agent, issue), { retryAfterSeconds });
  expect((await sendHeartbeat(agent)).pickedUp).toEqual([]);
  return { agent, issue };
}

describe('an issue that its agent released', () => {
  it('waits a second, twice as long with each release in a row, and at most 10 minutes', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
    for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]) {
      await release(agent, await pickUp(agent, issue));
      const { left } = await waitOf(issue);
      expect(left).toBeGreaterThan(seconds - 1);
      expect(left).toBeLessThanOrEqual(seconds);
      await waited(issue);
    }
    expect((await editor.get(`/api/projects/issues/${issue.id}`)).body).toMatchObject({ attempts: 0 });
  });

  it('leaves its place to the other ready issues of the agent', async () => {
    const agent = await asAgent(service);
    const first = await anIssue(editor, project, { assignedAgentId: agent.id, priority: 'urgent' });
    const second = await anIssue(editor, project, { assignedAgentId: agent.id });
    const { pickedUp } = await sendHeartbeat(agent, { capacity: 1 });
    expect(pickedUp).toMatchObject([{ issue: { id: first.id } }]);
    await release(agent, { issueId: first.id, token: pickedUp[0]!.lease.token });
    expect((await sendHeartbeat(agent, { capacity: 1 })).pickedUp).toMatchObject([
      { issue: { id: second.id } },
    ]);
  });

  it('waits at least for the time that the agent asked for', async () => {
    const { issue } = await released(3600);
    const { left } = await waitOf(issue);
    expect(left).toBeGreaterThan(3598);
    expect(left).toBeLessThanOrEqual(3600);
  });

  it.each([-1, 86_401, 1.5, '60'])('is not released with retryAfterSeconds %j', async (retryAfterSeconds) => {
    const agent = await asAgent(service);
    const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
    const { token } = await pickUp(agent, issue);
    const body = { token, retryAfterSeconds };
    const path = `/api/projects/issues/${issue.id}/release`;
    await expectInvalidPaths(agent.post(path, body), 'retryAfterSeconds');
  });

  it('wakes a waiting heartbeat of the agent when the time is over', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
    await release(agent, await pickUp(agent, issue));
    const { body } = await agent.post<Heartbeat>('/api/agents/me/heartbeat?wait=20', { worker: 'w' });
    expect(body.work).toMatchObject([{ issueId: issue.id, state: 'start' }]);
  });

  it('is handed to another agent at once', async () => {
    const { issue } = await released();
    const other = await asAgent(service);
    await expectSuccess(put(editor, issue, { assignedAgentId: other.id }));
    await pickUp(other, issue);
  });

  it('begins a new row once the agent has finished it, and a person has opened it again', async () => {
    const { agent, issue } = await released();
    await waited(issue);
    const held = await pickUp(agent, issue);
    expect(await waitOf(issue)).toMatchObject({ releases: 1 });
    const finish = { token: held.token, status: 'PendingReview' };
    await expectSuccess(agent.post(`/api/projects/issues/${issue.id}/finish`, finish));
    expect(await waitOf(issue)).toEqual({ left: null, releases: 0 });
  });

  it('that the agent gives back with Open waits as given back, and not as released', async () => {
    const { agent, issue } = await released();
    await waited(issue);
    const { token } = await pickUp(agent, issue);
    await expectSuccess(agent.post(`/api/projects/issues/${issue.id}/finish`, { token, status: 'Open' }));
    expect(await waitOf(issue)).toMatchObject({ releases: 0 });
    expect(await explained(issue)).toMatchObject({ reason: 'given_back' });
  });
});

describe('the wait of a released issue ends', () => {
  const ends: [string, (issue: Issue) => Promise<unknown>][] = [
    ['a change of a field', (issue) => expectSuccess(put(editor, issue, { title: 'Another title' }))],
    ['a comment', (issue) => aComment(editor, issue, 'Try it now.')],
    [
      'a file',
      (issue) =>
        expectSuccess(
          editor.post(`/api/projects/issues/${issue.id}/attachments`, undefined, { multipart: fileForm() }),
        ),
    ],
    ['a link', async (issue) => aLink(editor, issue, await anIssue(editor, project), 'RelatedTo')],
    [
      'an answer',
      async (issue) => {
        const gate = await editor.post(`/api/projects/issues/${issue.id}/gates`, { question: 'Now?' });
        const answer = `/api/projects/gates/${String(gate.body['id'])}/answer`;
        await expectSuccess(editor.post(answer, { text: 'Yes.' }));
      },
    ],
  ];
  it.each(ends)('with %s of a person', async (_, change) => {
    const { agent, issue } = await released();
    await change(issue);
    await pickUp(agent, issue);
  });

  it('with a comment that a person edits or deletes', async () => {
    const { agent, issue } = await released();
    const comment = await aComment(editor, issue, 'Wait.');
    const path = `/api/projects/comments/${comment.id}`;
    for (const change of [() => editor.put(path, { content: 'Go on.' }), () => editor.delete(path)]) {
      await release(agent, await pickUp(agent, issue), { retryAfterSeconds: 3600 });
      await expectSuccess(change());
    }
    await pickUp(agent, issue);
  });

  it('not with what agents write', async () => {
    const { agent, issue } = await released();
    await aComment(agent, issue, 'Still waiting.');
    await aComment(await asAgent(service), issue, 'Me too.');
    await expectSuccess(put(agent, issue, { description: 'Found out why.' }));
    expect((await sendHeartbeat(agent)).pickedUp).toEqual([]);
  });
});

describe('people see a released issue', () => {
  it('in explain and in the list, with the time until which it waits', async () => {
    const { issue } = await released();
    const until = new Date(Date.now() + 3600_000).toISOString().slice(0, 13);
    expect(await explained(issue)).toMatchObject({
      reason: 'released',
      next: expect.stringContaining(until),
    });
    const list = await editor.get(`/api/projects/issues?ids=${issue.id}&fields=summary,why`);
    expect(list.body).toMatchObject([
      { why: { reason: 'released', sentence: expect.stringContaining(until) } },
    ]);
  });

  it('in attention after ten releases in a row, with the last reason, until a person acts', async () => {
    const place = await aProject(editor);
    const agent = await asAgent(service);
    const issue = await anIssue(editor, place, { assignedAgentId: agent.id });
    const items = async () => (await editor.get(`/api/attention?projectId=${place.id}`)).body['items'];
    for (const reason of ['first', 2, 3, 4, 5, 6, 7, 8, 9].map(String)) {
      await release(agent, await pickUp(agent, issue), { reason });
      await waited(issue);
    }
    expect(await items()).toEqual([]);
    await release(agent, await pickUp(agent, issue), { reason: 'The licence server is down' });
    const item = {
      kind: 'released',
      severity: 'degraded',
      issue: { id: issue.id },
      agent: { id: agent.id },
      title: expect.stringContaining('10 times in a row'),
      detail: expect.stringContaining('The licence server is down.'),
      alternatives: [{ label: 'Assign to me' }],
    };
    expect(await items()).toMatchObject([item]);
    await waited(issue);
    await pickUp(agent, issue);
    expect(await items()).toMatchObject([item]);
    await expectSuccess(act(editor, issue, 'pause'));
    expect(await items()).toEqual([]);
  });
});
