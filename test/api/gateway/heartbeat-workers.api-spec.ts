import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { aComment, aLink, anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { fileForm } from '../platform/access/access-world.js';
import { act, expectInvalidPaths, expectSuccess, put, read, remove } from '../work/issues/issue-requests.js';
import { putHeld, runOut, sendHeartbeat, takeTurn, type Heartbeat, type Held } from './heartbeat-requests.js';

const service = useService();
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
});
const setHalt = (halted: boolean, reason?: string) =>
  service.owner.put('/api/agents/halt', { halted, ...(reason && { reason }) });
afterEach(async () => {
  await setHalt(false);
});

type Item = NonNullable<Heartbeat['work']>[number];

const worker = 'w1';
const work = async (agent: Caller, body: object = {}): Promise<Item[]> =>
  (await sendHeartbeat(agent, { worker, ...body })).work!;
const statesOf = (items: Item[]) => items.map(({ issueId, token, state }) => ({ issueId, token, state }));
const heldOf = ({ issueId, token }: Item): Held => ({ issueId, token });
const attach = (caller: Caller, issue: Issue) =>
  expectSuccess(
    caller.post(`/api/projects/issues/${issue.id}/attachments`, undefined, { multipart: fileForm() }),
  );

async function started(): Promise<{ agent: Caller; issue: Issue; held: Held }> {
  const agent = await asAgent(service);
  const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
  const [item] = await work(agent);
  expect(item).toMatchObject({ state: 'start', issueId: issue.id });
  return { agent, issue, held: heldOf(item!) };
}

describe('the work of a named worker', () => {
  it('begins with a brief that holds all there is to know', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(editor, project, { assignedAgentId: agent.id, description: 'Dig deep.' });
    await aComment(editor, issue, 'Mind the pipes.');
    const file = await attach(editor, issue);
    const [item] = await work(agent);
    expect(item).toMatchObject({
      issueId: issue.id,
      issue: { id: issue.id, key: issue.key, status: 'InProgress' },
      token: 1,
      expiresAt: expect.any(String),
      state: 'start',
      reason: null,
      changed: [],
      newComments: [],
      newAttachments: [],
      connect: { headers: { Authorization: expect.stringContaining('awp_l_') } },
    });
    for (const part of [
      issue.key,
      issue.title,
      'Dig deep.',
      'Mind the pipes.',
      editor.name,
      'x.txt',
      'Attempt 1.',
    ])
      expect(item!.brief).toContain(part);
    expect(item!.brief).toContain(`/api/projects/attachments/${String(file['id'])}/download`);
    expect((await takeTurn(agent, heldOf(item!))).newComments).toEqual([]);
  });

  it('is listed with the same tokens again when a response was lost', async () => {
    const { agent, issue, held } = await started();
    expect(statesOf(await work(agent, { leases: [] }))).toEqual([{ ...held, state: 'start' }]);
    expect(statesOf(await work(agent, { leases: [held] }))).toEqual([{ ...held, state: 'continue' }]);
    expect(statesOf(await work(agent, { leases: [{ ...held, issueId: issue.key }] }))).toEqual([
      { ...held, state: 'continue' },
    ]);
    expect(statesOf(await work(agent))).toEqual([{ ...held, state: 'continue' }]);
    expect(await read(editor, issue)).toMatchObject({ attempts: 0 });
  });

  it('is kept apart from that of other workers of the agent', async () => {
    const { agent, held } = await started();
    expect(await work(agent, { worker: 'w2' })).toEqual([]);
    expect(statesOf(await work(agent, { worker: 'w2', leases: [held] }))).toEqual([
      { ...held, state: 'continue' },
    ]);
    expect(await work(agent)).toEqual([]);
  });

  it('is renewed whether or not the worker names it', async () => {
    const { agent, issue, held } = await started();
    await runOut(service, issue);
    expect(statesOf(await work(agent, { capacity: 0 }))).toEqual([{ ...held, state: 'continue' }]);
    expect((await read(editor, issue)).lease).not.toBe(null);
  });

  it.each<[string, string, (issue: Issue) => Promise<unknown>]>([
    ['paused', 'a pause', (issue) => expectSuccess(act(editor, issue, 'pause'))],
    ['waiting', 'a blocker', async (issue) => aLink(editor, await anIssue(editor, project), issue)],
    ['reassigned', 'reassignment', (issue) => expectSuccess(put(editor, issue, { assignee: null }))],
    [
      'resolved',
      'a person who resolves it',
      (issue) => expectSuccess(put(editor, issue, { status: 'Resolved' })),
    ],
  ])(
    'ends with stop and the reason %s once after %s, also where the worker names no leases',
    async (reason, _why, happen) => {
      const { agent, issue, held } = await started();
      await happen(issue);
      const answer = await work(agent, { capacity: 0 });
      expect(answer).toMatchObject([{ ...held, state: 'stop', reason, expiresAt: null, brief: null }]);
      expect(answer[0]!.issue).toMatchObject({ id: issue.id });
      expect(await work(agent, { capacity: 0 })).toEqual([]);
      expect(await work(agent, { leases: [held], capacity: 0 })).toMatchObject([{ state: 'stop', reason }]);
    },
  );

  it('ends with stop for an issue that was deleted, without the issue', async () => {
    const { agent, issue, held } = await started();
    await expectSuccess(remove(editor, issue));
    expect(await work(agent, { leases: [held] })).toMatchObject([
      { ...held, state: 'stop', reason: 'deleted', issue: null },
    ]);
  });

  it('does not list what the worker itself finished, released or resolved', async () => {
    const ends = [
      (agent: Caller, held: Held) =>
        agent.post(`/api/projects/issues/${held.issueId}/finish`, { token: held.token, status: 'Resolved' }),
      (agent: Caller, held: Held) => putHeld(agent, held, { status: 'Resolved' }),
    ];
    for (const end of ends) {
      const { agent, held } = await started();
      await expectSuccess(end(agent, held));
      expect(await work(agent)).toEqual([]);
    }
  });

  it.each([{ named: true }, { named: false }])(
    'never stops and starts one issue in one response (%j)',
    async ({ named }) => {
      const { agent, issue, held } = await started();
      await expectSuccess(act(editor, issue, 'pause'));
      await expectSuccess(act(editor, issue, 'resume'));
      const both = await sendHeartbeat(agent, { worker, ...(named && { leases: [held] }) });
      expect(both.work).toMatchObject([{ ...held, state: 'stop', reason: 'paused' }]);
      expect(both.pickedUp).toEqual([]);
      expect(statesOf(await work(agent, named ? { leases: [] } : {}))).toEqual([
        { issueId: issue.id, token: held.token + 1, state: 'start' },
      ]);
    },
  );

  it('is stopped as a whole by a halt, and goes on with the same token afterwards', async () => {
    const { agent, held } = await started();
    await setHalt(true, 'The database is being moved.');
    const answer = await sendHeartbeat(agent, { worker });
    expect(answer.work).toMatchObject([{ ...held, state: 'stop', reason: 'halted' }]);
    expect(answer.suspended).toEqual({ reason: 'halted', detail: 'The database is being moved.' });
    await setHalt(false);
    expect(statesOf(await work(agent, { leases: [] }))).toEqual([{ ...held, state: 'start' }]);
  });

  it.each(['', 'x'.repeat(65), 7])('needs a name of 1 to 64 characters (%j)', async (name) => {
    const agent = await asAgent(service);
    await expectInvalidPaths(agent.post('/api/agents/me/heartbeat', { worker: name }), 'worker');
  });
});

describe('the capacity of a worker', () => {
  it('counts the leases that it does not know: after a restart, or after a response that was lost', async () => {
    const { agent, held } = await started();
    for (let count = 0; count < 2; count += 1) await anIssue(editor, project, { assignedAgentId: agent.id });
    expect(statesOf(await work(agent, { leases: [], capacity: 1 }))).toEqual([{ ...held, state: 'start' }]);
    const two = await work(agent, { leases: [], capacity: 2 });
    expect(two).toHaveLength(2);
    const more = await work(agent, { leases: two.map(heldOf), capacity: 1 });
    expect(more.map(({ state }) => state).toSorted()).toEqual(['continue', 'continue', 'start']);
  });
});

describe('an idle worker', () => {
  it('learns that agents are halted and why, and that its agent is disabled', async () => {
    const agent = await asAgent(service);
    expect((await sendHeartbeat(agent)).suspended).toBe(null);
    await setHalt(true, 'Lunch.');
    expect(await sendHeartbeat(agent, { worker })).toMatchObject({
      work: [],
      suspended: { reason: 'halted', detail: 'Lunch.' },
    });
    await setHalt(false);
    await service.owner.put(`/api/agents/${agent.id}`, { disabled: true });
    expect((await sendHeartbeat(agent)).suspended).toEqual({ reason: 'disabled', detail: null });
  });
});

describe('changes of the brief', () => {
  it('are named by heartbeats until a turn has named them', async () => {
    const { agent, issue, held } = await started();
    await expectSuccess(put(editor, issue, { title: 'Dig there', priority: 'urgent' }));
    const file = await attach(editor, issue);
    for (let round = 0; round < 2; round++)
      expect(await work(agent)).toMatchObject([
        {
          state: 'continue',
          changed: ['title', 'priority', 'attachments'],
          newAttachments: [{ id: file['id'], filename: 'x.txt', size: 1, downloadUrl: file['downloadUrl'] }],
          brief: expect.stringContaining('Dig there'),
        },
      ]);
    expect((await sendHeartbeat(agent, { leases: [held] })).active).toMatchObject([
      { changed: ['title', 'priority', 'attachments'] },
    ]);
    expect((await takeTurn(agent, held)).changed).toEqual(['title', 'priority', 'attachments']);
    expect((await takeTurn(agent, held)).changed).toEqual([]);
    expect(await work(agent)).toMatchObject([{ changed: [], newAttachments: [] }]);
    await expectSuccess(put(editor, issue, { description: 'Deeper.' }));
    expect((await takeTurn(agent, held)).changed).toEqual(['description']);
  });

  it('by the agent itself are no news to it', async () => {
    const { agent, issue, held } = await started();
    await attach(agent, issue);
    await expectSuccess(putHeld(agent, held, { description: 'What I found.' }));
    expect(await work(agent)).toMatchObject([{ changed: [], newAttachments: [] }]);
    expect((await takeTurn(agent, held)).changed).toEqual([]);
  });
});

describe('a worker that takes no more work', () => {
  const failing = 'git ended with code 128.';
  const known = async (agent: Caller) =>
    (await service.owner.get<{ failing: object | null }>(`/api/agents/${agent.id}`)).body.failing;

  it('is reported with why and since when, until it says so no more', async () => {
    const agent = await asAgent(service);
    const { agent: answer } = await sendHeartbeat(agent, { worker, failing });
    expect(answer.failing).toMatchObject({ worker, reason: failing, since: expect.any(String) });
    expect(await known(agent)).toEqual(answer.failing);
    await sendHeartbeat(agent, { worker, failing: 'It ended with code 1.' });
    expect(await known(agent)).toEqual({ ...answer.failing, reason: 'It ended with code 1.' });
    expect((await sendHeartbeat(agent, { worker })).agent.failing).toBeNull();
    expect(await known(agent)).toBeNull();
  });

  it('is forgotten when it sends no heartbeat for the time of a lease', async () => {
    const agent = await asAgent(service);
    await sendHeartbeat(agent, { worker, failing });
    await service.sql(
      `UPDATE agent_failures SET until = now(), since = now() - interval '1 hour' WHERE agent_id = $1`,
      [agent.id],
    );
    expect(await known(agent)).toBeNull();
    await sendHeartbeat(agent, { worker, failing });
    const [row] = await service.sql<{ fresh: boolean }>(
      `SELECT since > now() - interval '1 minute' AS fresh FROM agent_failures WHERE agent_id = $1`,
      [agent.id],
    );
    expect(row).toEqual({ fresh: true });
  });

  it('keeps no other worker of the agent from work, and is not replaced by it', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
    await sendHeartbeat(agent, { worker, failing, capacity: 0 });
    const other = await sendHeartbeat(agent, { worker: 'w2' });
    expect(other.work).toMatchObject([{ issueId: issue.id, state: 'start' }]);
    await sendHeartbeat(agent, { worker: 'w3', failing: 'Another failure.', capacity: 0 });
    expect(await known(agent)).toMatchObject({ worker, reason: failing });
  });

  it('has a name', async () => {
    const agent = await asAgent(service);
    await expectInvalidPaths(agent.post('/api/agents/me/heartbeat', { failing }), 'failing');
    await expectInvalidPaths(agent.post('/api/agents/me/heartbeat', { worker, failing: '' }), 'failing');
  });
});
