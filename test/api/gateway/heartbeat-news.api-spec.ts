import { beforeAll, describe, expect, it } from '@jest/globals';
import { aComment, aLink, anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { fileForm } from '../platform/access/access-world.js';
import { act, expectSuccess, put, remove } from '../work/issues/issue-requests.js';
import { putHeld, runOut, sendHeartbeat, takeTurn, type Heartbeat, type Held } from './heartbeat-requests.js';

const service = useService();
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
});

type Item = NonNullable<Heartbeat['work']>[number];

const work = async (agent: Caller, body: object = {}): Promise<Item[]> =>
  (await sendHeartbeat(agent, { worker: 'w1', ...body })).work!;
const said = (comments: { content: string }[]) => comments.map(({ content }) => content);
const heldOf = ({ issueId, token }: Item): Held => ({ issueId, token });

/** An issue that a worker has begun, and on which its agent has taken a turn. */
async function begun(): Promise<{ agent: Caller; issue: Issue; held: Held }> {
  const agent = await asAgent(service);
  const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
  await aComment(editor, issue, 'in the brief');
  const held = heldOf((await work(agent))[0]!);
  await aComment(editor, issue, 'in the first turn');
  expect(said((await takeTurn(agent, held)).newComments)).toEqual(['in the first turn']);
  return { agent, issue, held };
}

/** What a person adds while no worker has the issue. */
async function addNews(issue: Issue): Promise<string> {
  await aComment(editor, issue, 'read this');
  await expectSuccess(put(editor, issue, { title: 'Another title' }));
  const path = `/api/projects/issues/${issue.id}/attachments`;
  const file = await expectSuccess(editor.post(path, undefined, { multipart: fileForm() }));
  return String(file['id']);
}

/** Sends heartbeats until the issue is handed out, because a stop and a start never come in one response. */
const startOf = (agent: Caller, issue: Issue, body: object = {}): Promise<Item> =>
  until(async () =>
    (await work(agent, body)).find((item) => item.issueId === issue.id && item.state === 'start'),
  );

async function block(issue: Issue): Promise<Issue> {
  const blocker = await anIssue(editor, project);
  await aLink(editor, blocker, issue);
  return blocker;
}

const breaks: [string, (agent: Caller, held: Held, issue: Issue) => Promise<unknown>, object][] = [
  [
    'a pause',
    async (_agent, _held, issue) => {
      await expectSuccess(act(editor, issue, 'pause'));
      await addNews(issue);
      await expectSuccess(act(editor, issue, 'resume'));
    },
    {},
  ],
  [
    'a blocker',
    async (_agent, _held, issue) => {
      const blocker = await block(issue);
      await addNews(issue);
      await expectSuccess(put(editor, blocker, { status: 'Resolved' }));
    },
    {},
  ],
  [
    'a release',
    async (agent, { issueId, token }, issue) => {
      await expectSuccess(agent.post(`/api/projects/issues/${issueId}/release`, { token }));
      await addNews(issue);
    },
    {},
  ],
  [
    'the end of the lease, on another worker',
    async (_agent, _held, issue) => {
      await addNews(issue);
      await runOut(service, issue);
    },
    { worker: 'w2' },
  ],
  [
    'the work of another agent',
    async (_agent, _held, issue) => {
      const other = await asAgent(service);
      await expectSuccess(put(editor, issue, { assignedAgentId: other.id }));
      await work(other);
      await addNews(issue);
      await takeTurn(other, { issueId: issue.id });
      await expectSuccess(put(editor, issue, { assignedAgentId: _agent.id }));
    },
    {},
  ],
];

describe('an issue that comes back to its agent', () => {
  it.each(breaks)(
    'after %s has all that is new since the last turn, until the next one',
    async (_, happen, body) => {
      const { agent, issue, held } = await begun();
      await happen(agent, held, issue);
      const item = await startOf(agent, issue, body);
      const news = { changed: ['title', 'attachments'], newComments: [{ content: 'read this' }] };
      expect(item).toMatchObject({ ...news, newAttachments: [{ filename: expect.any(String) }] });
      expect(item.newComments).toHaveLength(1);
      expect(item.brief).toContain('in the brief');
      expect(await work(agent, { ...body, leases: [heldOf(item)] })).toMatchObject([
        { state: 'continue', ...news },
      ]);
      expect(await takeTurn(agent, heldOf(item))).toMatchObject(news);
      expect(await takeTurn(agent, heldOf(item))).toMatchObject({ changed: [], newComments: [] });
    },
  );

  it('has nothing new where nothing has changed, and its own files and changes are no news', async () => {
    const { agent, issue, held } = await begun();
    const path = `/api/projects/issues/${issue.id}/attachments`;
    await expectSuccess(agent.post(path, undefined, { multipart: fileForm() }));
    await aComment(agent, issue, 'my own');
    await expectSuccess(putHeld(agent, held, { description: 'Found.' }));
    for (const action of ['pause', 'resume']) await expectSuccess(act(editor, issue, action));
    const item = await startOf(agent, issue);
    expect(item).toMatchObject({ changed: [], newComments: [], newAttachments: [] });
    expect(await takeTurn(agent, heldOf(item))).toMatchObject({ changed: [], newComments: [] });
  });

  it('has the change of a person also where the agent changed another field after it', async () => {
    const { agent, issue, held } = await begun();
    await expectSuccess(put(editor, issue, { title: 'Another title' }));
    await expectSuccess(putHeld(agent, held, { description: 'Found.' }));
    expect((await takeTurn(agent, held)).changed).toEqual(['title']);
  });
});

const waiting = (agent: Caller, body: object) => {
  const path = '/api/agents/me/heartbeat?wait=20';
  return agent.post<Heartbeat>(path, { worker: 'w1', capacity: 0, ...body });
};

describe('a worker that names no leases', () => {
  it('hears once that its issue was deleted', async () => {
    const { agent, issue, held } = await begun();
    await expectSuccess(remove(editor, issue));
    const heartbeat = await sendHeartbeat(agent, { worker: 'w1' });
    expect(heartbeat.stop).toEqual([{ issueId: issue.id, reason: 'deleted' }]);
    expect(heartbeat.work).toMatchObject([
      { issueId: issue.id, token: held.token, state: 'stop', reason: 'deleted', issue: null },
    ]);
    expect(await work(agent)).toEqual([]);
  });

  it('hears so while its heartbeat waits', async () => {
    const { agent, issue } = await begun();
    await service.sql('UPDATE agents SET last_heartbeat_at = NULL WHERE id = $1', [agent.id]);
    const response = waiting(agent, {});
    await until(
      async () => (await service.owner.get(`/api/agents/${agent.id}`)).body['lastHeartbeatAt'] !== null,
    );
    await expectSuccess(remove(editor, issue));
    expect((await response).body.work).toMatchObject([
      { issueId: issue.id, state: 'stop', reason: 'deleted' },
    ]);
  });

  it('hears nothing of a deleted issue that it had finished', async () => {
    const { agent, issue, held } = await begun();
    const finish = { token: held.token, status: 'Resolved' };
    await expectSuccess(agent.post(`/api/projects/issues/${issue.id}/finish`, finish));
    await expectSuccess(remove(editor, issue));
    expect(await work(agent)).toEqual([]);
  });

  it('hears of another lease that was deleted, beside those that it names', async () => {
    const { agent, issue, held } = await begun();
    await expectSuccess(remove(editor, issue));
    expect(await work(agent, { leases: [held] })).toMatchObject([{ state: 'stop', reason: 'deleted' }]);
    expect(await work(agent, { leases: [] })).toEqual([]);
  });
});

describe('what is over when the worker hears of it', () => {
  const ends: [string, string, (issue: Issue) => Promise<unknown>][] = [
    [
      'pause',
      'paused',
      async (issue) => {
        for (const action of ['pause', 'resume']) await expectSuccess(act(editor, issue, action));
      },
    ],
    [
      'blocker',
      'waiting',
      async (issue) => expectSuccess(put(editor, await block(issue), { status: 'Resolved' })),
    ],
  ];

  it.each(ends)(
    'is reported as the %s that it was, and the issue is handed out next',
    async (_, reason, happen) => {
      const { agent, issue, held } = await begun();
      await happen(issue);
      expect(await takeTurn(agent, held)).toMatchObject({ proceed: false, reason });
      expect(await putHeld(agent, held, { title: 'x' })).toMatchObject({
        status: 409,
        body: { code: 'lease_lost', reason },
      });
      expect(await work(agent, { leases: [held] })).toMatchObject([{ state: 'stop', reason }]);
      const [item] = await work(agent, { leases: [] });
      expect(item).toMatchObject({ state: 'start', token: held.token + 1 });
      expect(await takeTurn(agent, held)).toMatchObject({ proceed: false, reason: 'lease_lost' });
    },
  );

  it('does not stop a turn without a token', async () => {
    const { agent, issue } = await begun();
    for (const action of ['pause', 'resume']) await expectSuccess(act(editor, issue, action));
    expect(await takeTurn(agent, { issueId: issue.id })).toMatchObject({ proceed: true, reason: null });
  });

  it('is a lost lease where it ran out and another worker of the agent took the issue', async () => {
    const { agent, issue, held } = await begun();
    await runOut(service, issue);
    await startOf(agent, issue, { worker: 'w2' });
    expect(await work(agent, { leases: [held] })).toMatchObject([{ state: 'stop', reason: 'lease_lost' }]);
  });
});
