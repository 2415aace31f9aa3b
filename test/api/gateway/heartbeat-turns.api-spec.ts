import { beforeAll, describe, expect, it } from '@jest/globals';
import { aComment, anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { act, must, refusedPaths } from '../work/issues/issue-acts.js';
import { beat, pickUp, putHeld, runOut, turn, type Held } from './heartbeat-acts.js';

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
  it('without an issue goes on, and tells the tools', async () => {
    const answer = await turn(await asAgent(service));
    expect(answer).toEqual({ proceed: true, reason: null, newComments: [], tools: expect.any(Array) });
  });

  it('takes the issue by id or key', async () => {
    const { agent, issue, held } = await someWork();
    expect((await turn(agent, held)).proceed).toBe(true);
    expect((await turn(agent, { issueId: issue.key, token: held.token })).proceed).toBe(true);
  });

  it('on an issue that is not there, or not to be seen, must stop as if it were deleted', async () => {
    const agent = await asAgent(service);
    const hidden = await anIssue(editor, await aProject(editor, { visibility: 'members' }));
    for (const issueId of ['0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff', 'NOWHERE-1', 'x', hidden.id, hidden.key])
      expect(await turn(agent, { issueId })).toMatchObject({ proceed: false, reason: 'deleted' });
  });

  it.each([
    [{ token: 'x' }, 'token'],
    [{ token: -1 }, 'token'],
    [{ issueId: 7 }, 'issueId'],
    [{ issue: 'x' }, 'issue'],
  ])('with %j is 400 on %s', async (body, path) => {
    await refusedPaths((await asAgent(service)).post('/api/agents/me/turns', body), path);
  });
});

describe('what people say', () => {
  it('is told at the next turn, once, oldest first; the agent’s own words are not', async () => {
    const { agent, issue, held } = await someWork();
    const other = await asAgent(service);
    await aComment(editor, issue, 'one');
    await aComment(agent, issue, 'my own');
    await aComment(other, issue, 'two');
    const first = await turn(agent, held);
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
    expect((await turn(agent, held)).newComments).toEqual([]);
    await aComment(editor, issue, 'three');
    expect(said((await turn(agent, held)).newComments)).toEqual(['three']);
  });

  it('is told by each heartbeat until a turn has told it', async () => {
    const { agent, issue, held } = await someWork();
    await aComment(editor, issue, 'hello');
    for (let round = 0; round < 2; round++)
      expect(said((await beat(agent, { leases: [held] })).active[0]!.newComments)).toEqual(['hello']);
    expect(said((await turn(agent, held)).newComments)).toEqual(['hello']);
    expect((await beat(agent, { leases: [held] })).active[0]!.newComments).toEqual([]);
  });

  it('before the pick-up is told at the first turn', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
    await aComment(editor, issue, 'read this first');
    expect(said((await turn(agent, await pickUp(agent, issue))).newComments)).toEqual(['read this first']);
  });

  it('while the work was paused, or its worker dead, is told when it goes on, and nothing twice', async () => {
    const { agent, issue, held } = await someWork();
    await aComment(editor, issue, 'before');
    await turn(agent, held);
    await must(act(editor, issue, 'pause'));
    await aComment(editor, issue, 'why I paused it');
    expect((await turn(agent, held)).newComments).toEqual([]);
    await must(act(editor, issue, 'resume'));
    const resumed = await pickUp(agent, issue);
    expect(said((await turn(agent, resumed)).newComments)).toEqual(['why I paused it']);
    await runOut(service, issue);
    await aComment(editor, issue, 'are you there?');
    expect(said((await turn(agent, await pickUp(agent, issue))).newComments)).toEqual(['are you there?']);
  });

  it('is told in full to another agent that takes over', async () => {
    const { agent, issue, held } = await someWork();
    await aComment(editor, issue, 'one');
    await turn(agent, held);
    await aComment(agent, issue, 'what I found');
    const next = await asAgent(service);
    await must(editor.put(`/api/projects/issues/${issue.id}`, { assignedAgentId: next.id }));
    expect(said((await turn(next, await pickUp(next, issue))).newComments)).toEqual(['one', 'what I found']);
  });

  it('is never lost between turns and comments at once', async () => {
    const { agent, issue, held } = await someWork();
    const heard: string[] = [];
    const speak = Promise.all(
      Array.from({ length: 30 }, (_, number) => aComment(editor, issue, `comment ${number}`)),
    );
    for (let round = 0; round < 10; round++) heard.push(...said((await turn(agent, held)).newComments));
    await speak;
    heard.push(...said((await turn(agent, held)).newComments));
    expect(heard.toSorted()).toEqual(
      Array.from({ length: 30 }, (_, number) => `comment ${number}`).toSorted(),
    );
  });

  it('changes no status and wakes nobody', async () => {
    const { agent, issue, held } = await someWork();
    await putHeld(agent, held, { status: 'PendingReview' });
    await aComment(editor, issue, 'looks good');
    expect((await beat(agent)).pickedUp).toEqual([]);
  });
});
