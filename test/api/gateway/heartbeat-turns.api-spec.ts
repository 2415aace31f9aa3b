import { beforeAll, describe, expect, it } from '@jest/globals';
import { aComment, anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { act, expectSuccess, expectInvalidPaths } from '../work/issues/issue-requests.js';
import { sendHeartbeat, pickUp, putHeld, runOut, takeTurn, type Held } from './heartbeat-requests.js';

const service = useService();
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
const said = (comments: { content: string }[]) => comments.map(({ content }) => content);

describe('a turn', () => {
  it('without an issue may proceed, and returns the tools', async () => {
    const answer = await takeTurn(await asAgent(service));
    expect(answer).toEqual({
      proceed: true,
      reason: null,
      newComments: [],
      changed: [],
      answers: [],
      toolsVersion: expect.any(String),
      tools: expect.any(Array),
    });
  });

  it('returns no tools to a worker that has them, and all of them with another version', async () => {
    const agent = await asAgent(service);
    const { toolsVersion, tools } = await takeTurn(agent);
    expect(await takeTurn(agent, { toolsVersion })).toMatchObject({ toolsVersion, tools: 'unchanged' });
    expect(await takeTurn(agent, { toolsVersion: 'another' })).toMatchObject({ toolsVersion, tools });
  });

  it('accepts the issue by id or key', async () => {
    const { agent, issue, held } = await someWork();
    expect((await takeTurn(agent, held)).proceed).toBe(true);
    expect((await takeTurn(agent, { issueId: issue.key, token: held.token })).proceed).toBe(true);
  });

  it('on an issue that does not exist or that the agent cannot see must stop with reason deleted', async () => {
    const agent = await asAgent(service);
    const hidden = await anIssue(editor, await aProject(editor, { visibility: 'members' }));
    for (const issueId of ['0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff', 'NOWHERE-1', 'x', hidden.id, hidden.key])
      expect(await takeTurn(agent, { issueId })).toMatchObject({ proceed: false, reason: 'deleted' });
  });

  it.each([
    [{ token: 'x' }, 'token'],
    [{ token: -1 }, 'token'],
    [{ issueId: 7 }, 'issueId'],
    [{ toolsVersion: 7 }, 'toolsVersion'],
    [{ issue: 'x' }, 'issue'],
  ])('with %j returns 400 on %s', async (body, path) => {
    await expectInvalidPaths((await asAgent(service)).post('/api/agents/me/turns', body), path);
  });
});

describe('a comment by another author', () => {
  it('is returned once, by the next turn, oldest first, without the agent’s own comments', async () => {
    const { agent, issue, held } = await someWork();
    const other = await asAgent(service);
    await aComment(editor, issue, 'one');
    await aComment(agent, issue, 'my own');
    await aComment(other, issue, 'two');
    const first = await takeTurn(agent, held);
    expect(first.newComments).toEqual([
      expect.objectContaining({
        issueId: issue.id,
        content: 'one',
        authorType: 'User',
        author: { id: editor.id, name: editor.name },
      }),
      expect.objectContaining({
        content: 'two',
        authorType: 'Agent',
        author: { id: other.id, name: other.name },
      }),
    ]);
    expect((await takeTurn(agent, held)).newComments).toEqual([]);
    await aComment(editor, issue, 'three');
    expect(said((await takeTurn(agent, held)).newComments)).toEqual(['three']);
  });

  it('is returned by each heartbeat until a turn has returned it', async () => {
    const { agent, issue, held } = await someWork();
    await aComment(editor, issue, 'hello');
    for (let round = 0; round < 2; round += 1)
      expect(said((await sendHeartbeat(agent, { leases: [held] })).active[0]!.newComments)).toEqual([
        'hello',
      ]);
    expect(said((await takeTurn(agent, held)).newComments)).toEqual(['hello']);
    expect((await sendHeartbeat(agent, { leases: [held] })).active[0]!.newComments).toEqual([]);
  });

  it('from before the pick-up is returned by the first turn', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
    await aComment(editor, issue, 'read this first');
    expect(said((await takeTurn(agent, await pickUp(agent, issue))).newComments)).toEqual([
      'read this first',
    ]);
  });

  it('from while the issue was paused or its worker dead is returned once when the work continues', async () => {
    const { agent, issue, held } = await someWork();
    await aComment(editor, issue, 'before');
    await takeTurn(agent, held);
    await expectSuccess(act(editor, issue, 'pause'));
    await aComment(editor, issue, 'why I paused it');
    expect((await takeTurn(agent, held)).newComments).toEqual([]);
    await expectSuccess(act(editor, issue, 'resume'));
    const resumed = await pickUp(agent, issue);
    expect(said((await takeTurn(agent, resumed)).newComments)).toEqual(['why I paused it']);
    await runOut(service, issue);
    await aComment(editor, issue, 'are you there?');
    expect(said((await takeTurn(agent, await pickUp(agent, issue))).newComments)).toEqual(['are you there?']);
  });

  it('is returned again to another agent that takes over', async () => {
    const { agent, issue, held } = await someWork();
    await aComment(editor, issue, 'one');
    await takeTurn(agent, held);
    await aComment(agent, issue, 'what I found');
    const next = await asAgent(service);
    await expectSuccess(editor.put(`/api/projects/issues/${issue.id}`, { assignedAgentId: next.id }));
    expect(said((await takeTurn(next, await pickUp(next, issue))).newComments)).toEqual([
      'one',
      'what I found',
    ]);
  });

  it('is never lost between concurrent turns and comments', async () => {
    const { agent, issue, held } = await someWork();
    const heard: string[] = [];
    const speak = Promise.all(
      Array.from({ length: 30 }, (_, number) => aComment(editor, issue, `comment ${number}`)),
    );
    for (let round = 0; round < 10; round += 1)
      heard.push(...said((await takeTurn(agent, held)).newComments));
    await speak;
    heard.push(...said((await takeTurn(agent, held)).newComments));
    expect(heard.toSorted()).toEqual(
      Array.from({ length: 30 }, (_, number) => `comment ${number}`).toSorted(),
    );
  });

  it('changes no status and makes no agent pick up the issue', async () => {
    const { agent, issue, held } = await someWork();
    await putHeld(agent, held, { status: 'PendingReview' });
    await aComment(editor, issue, 'looks good');
    expect((await sendHeartbeat(agent)).pickedUp).toEqual([]);
  });
});
