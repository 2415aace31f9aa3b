import { beforeAll, describe, expect, it } from '@jest/globals';
import { aGoal, aLink, anAgent, anIssue, aProject, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAgent, asEditor, asViewer } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import { anIssueIn, read, expectInvalidPaths, type Status } from './issue-requests.js';
import { idsOf, listed, pathOfList } from './list-requests.js';

const service = useService();
let editor: Caller;
beforeAll(async () => {
  editor = await asEditor(service);
});

const list = (project: Project | null, query = '', caller = editor) => listed(caller, project, query);

describe('the list of a project', () => {
  it('contains its issues, newest first, each as a single read returns it', async () => {
    const project = await aProject(editor);
    const issues = [await anIssue(editor, project), await anIssueIn(editor, project, 'WaitingOnDependency')];
    const found = await list(project);
    expect(found).toHaveLength(3);
    expect(found[0]!.id).toBe(issues[1]!.id);
    expect(found).toEqual(await Promise.all(found.map((issue) => read(editor, issue))));
    expect(await list({ ...project, id: project.key } as Project)).toEqual(found);
  });

  it('omits only description, links and where an issue came from with fields=summary', async () => {
    const project = await aProject(editor);
    await aLink(editor, await anIssue(editor, project), await anIssue(editor, project), 'RelatedTo');
    const whole = await list(project);
    const summary = await list(project, '?fields=summary');
    expect(
      summary.map((issue, at) => ({
        ...issue,
        description: whole[at]!.description,
        links: whole[at]!.links,
        externalId: null,
        importedAt: null,
      })),
    ).toEqual(whole);
    const omitted = ['description', 'links', 'externalId', 'importedAt'];
    expect(summary.flatMap((issue) => Object.keys(issue)).filter((name) => omitted.includes(name))).toEqual(
      [],
    );
    await expectInvalidPaths(editor.get(`${pathOfList(project)}?fields=all`), 'fields');
  });

  it('is empty for a project without issues, and returns 404 for an unknown project', async () => {
    expect(await list(await aProject(editor))).toEqual([]);
    expect((await editor.get('/api/projects/NOWHERE/issues')).status).toBe(404);
    expect((await editor.get('/api/projects/0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff/issues')).status).toBe(404);
  });
});

describe('the list over all projects', () => {
  it('contains exactly what the caller can see', async () => {
    const [open, closed] = [await aProject(editor), await aProject(editor, { visibility: 'members' })];
    const [seen, hidden] = [await anIssue(editor, open), await anIssue(editor, closed)];
    const [stranger, agent] = [await asViewer(service), await asAgent(service)];
    expect(idsOf(await list(null))).toEqual(expect.arrayContaining([seen.id, hidden.id]));
    for (const caller of [stranger, agent]) {
      const ids = idsOf(await list(null, '?limit=1000', caller));
      expect(ids).toContain(seen.id);
      expect(ids).not.toContain(hidden.id);
      expect((await caller.get(pathOfList(closed))).status).toBe(404);
      expect(
        (await caller.get(`/api/projects/issues?q=${encodeURIComponent(hidden.title)}&count=true`)).headers[
          'x-total-count'
        ],
      ).toBe('0');
    }
    const entries = [
      { userId: stranger.id, role: 'Viewer' },
      { agentId: agent.id, role: 'Viewer' },
    ];
    await service.owner.put(`/api/projects/${closed.id}/members`, { entries });
    for (const caller of [stranger, agent])
      expect(idsOf(await list(null, '?limit=1000', caller))).toContain(hidden.id);
  });
});

describe('a filter', () => {
  let project: Project;
  const byStatus: Partial<Record<Status, string>> = {};
  beforeAll(async () => {
    project = await aProject(editor);
    for (const status of ['Open', 'InProgress', 'PendingReview', 'Resolved', 'Closed'] as const)
      byStatus[status] = (await anIssueIn(editor, project, status)).id;
    byStatus.WaitingOnDependency = (await anIssue(editor, project, { blockedByIssueId: byStatus.Open })).id;
  });

  it.each(['Open', 'InProgress', 'WaitingOnDependency', 'PendingReview', 'Resolved', 'Closed'] as const)(
    'by status=%s finds the issues in that status',
    async (status) => {
      expect(idsOf(await list(project, `?status=${status}`))).toEqual([byStatus[status]]);
    },
  );

  it('by several statuses finds issues in any of them', async () => {
    const found = idsOf(await list(project, '?status=Open,Closed,WaitingOnDependency'));
    expect(found.toSorted()).toEqual(
      [byStatus.Open, byStatus.Closed, byStatus.WaitingOnDependency].toSorted(),
    );
  });

  it('by ids finds those of the named issues that match the other filters and are in the project', async () => {
    const elsewhere = await anIssue(editor, await aProject(editor));
    const named = [
      byStatus.Closed,
      byStatus.Open,
      elsewhere.id,
      '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff',
    ].join();
    expect(idsOf(await list(project, `?ids=${named}`))).toEqual([byStatus.Closed, byStatus.Open]);
    expect(idsOf(await list(project, `?ids=${named}&status=Open&sort=-priority`))).toEqual([byStatus.Open]);
    expect(idsOf(await list(null, `?ids=${named}`))).toEqual([elsewhere.id, byStatus.Closed, byStatus.Open]);
  });

  it('by ids rejects what is no id, and more than 200', async () => {
    const many = Array.from({ length: 201 }, () => byStatus.Open).join();
    for (const ids of ['', 'PAY-1', `${byStatus.Open},`, many])
      await expectInvalidPaths(editor.get(`${pathOfList(project)}?ids=${ids}`), 'ids');
    expect(await list(project, `?ids=${many.slice(0, many.lastIndexOf(','))}`)).toHaveLength(1);
  });

  it('by assigneeId finds the issues of an agent or a user', async () => {
    const agent = await anAgent(service.owner);
    const forAgent = await anIssue(editor, project, { assignedAgentId: agent.id, assigneeUserId: editor.id });
    const forUser = await anIssue(editor, project, { assigneeUserId: editor.id });
    expect(idsOf(await list(project, `?assigneeId=${agent.id}`))).toEqual([forAgent.id]);
    expect(idsOf(await list(project, `?assigneeId=${editor.id}`))).toEqual([forUser.id, forAgent.id]);
    expect(await list(project, '?assigneeId=0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff')).toEqual([]);
  });

  it('by assigneeId=me finds the issues of the calling user or agent', async () => {
    const [agent, viewer] = [await asAgent(service), await asViewer(service)];
    const forAgent = await anIssue(editor, project, { assignedAgentId: agent.id, assigneeUserId: viewer.id });
    const forViewer = await anIssue(editor, project, { assigneeUserId: viewer.id });
    expect(idsOf(await list(project, '?assigneeId=me', agent))).toEqual([forAgent.id]);
    expect(idsOf(await list(null, '?assigneeId=me', viewer))).toEqual([forViewer.id, forAgent.id]);
  });

  it('by assigneeId=none finds the issues without an assignee', async () => {
    const other = await aProject(editor);
    const [agent, free] = [await anAgent(service.owner), await anIssue(editor, other)];
    await anIssue(editor, other, { assignedAgentId: agent.id });
    await anIssue(editor, other, { assigneeUserId: editor.id });
    expect(idsOf(await list(other, '?assigneeId=none'))).toEqual([free.id]);
    expect(idsOf(await list(other, '?assigneeId=none&status=Closed'))).toEqual([]);
    expect(idsOf(await list(null, '?assigneeId=none&limit=1000'))).toContain(free.id);
  });

  it('by goalId or priority finds their issues, and several filters narrow the list together', async () => {
    const goal = await aGoal(editor, project);
    const both = await anIssue(editor, project, {
      goalId: goal.id,
      priority: 'urgent',
      title: 'Paint the shed',
    });
    const one = await anIssue(editor, project, { goalId: goal.id, priority: 'low' });
    const other = await anIssue(editor, project, { priority: 'urgent' });
    expect(idsOf(await list(project, `?goalId=${goal.id}`))).toEqual([one.id, both.id]);
    expect(idsOf(await list(project, '?priority=urgent'))).toEqual([other.id, both.id]);
    expect(idsOf(await list(project, '?priority=none'))).not.toContain(both.id);
    expect(
      idsOf(await list(project, `?goalId=${goal.id}&priority=urgent&status=Open,Resolved&q=shed`)),
    ).toEqual([both.id]);
    expect(idsOf(await list(null, `?goalId=${goal.id}&priority=low`))).toEqual([one.id]);
  });

  it('with several values finds what has any of them, each issue once', async () => {
    const place = await aProject(editor);
    const [one, two] = [await anAgent(service.owner), await anAgent(service.owner)];
    const [first, second] = [await aGoal(editor, place), await aGoal(editor, place)];
    const both = await anIssue(editor, place, { assignedAgentId: one.id, assigneeUserId: editor.id });
    const mine = await anIssue(editor, place, { assigneeUserId: editor.id, goalId: first.id });
    const other = await anIssue(editor, place, { assignedAgentId: two.id, goalId: second.id });
    const free = await anIssue(editor, place, { priority: 'high' });
    const found = async (query: string) => idsOf(await list(place, `?${query}`));
    for (const sort of ['createdAt', 'updatedAt', 'priority', 'status']) {
      const by = (query: string) => found(`${query}&sort=-${sort}&status=Open,Closed`);
      expect(await by(`assigneeId=${one.id},me`)).toEqual([mine.id, both.id]);
      expect(await by(`assigneeId=${one.id},${one.id},${two.id},none`)).toHaveLength(3);
    }
    expect(await found(`assigneeId=${one.id},${editor.id},none`)).toEqual([free.id, mine.id, both.id]);
    expect(await found(`agentId=${one.id},${two.id}`)).toEqual([other.id, both.id]);
    expect(await found('agentId=none')).toEqual([free.id, mine.id]);
    expect(await found(`goalId=${first.id},${second.id}`)).toEqual([other.id, mine.id]);
    expect(await found(`goalId=none,${second.id},nonsense`)).toEqual([free.id, other.id, both.id]);
    expect(await found('goalId=nonsense')).toEqual([]);
    expect(await found('priority=high,urgent')).toEqual([free.id]);
    expect(await found(`priority=none&agentId=none&goalId=${first.id},none`)).toEqual([mine.id]);
  });

  it('with more values than one statement has parts still finds the same', async () => {
    const place = await aProject(editor);
    const agents = [];
    for (let number = 0; number < 8; number++) agents.push(await anAgent(service.owner));
    const made = [];
    for (const { id } of agents) made.push(await anIssue(editor, place, { assignedAgentId: id }));
    const values = `assigneeId=${agents.map(({ id }) => id).join()}&priority=none,low,high`;
    expect(idsOf(await list(place, `?${values}&sort=status`))).toEqual(idsOf(made));
  });

  it('by blockedBy finds what waits for an unfinished issue, or for none', async () => {
    const place = await aProject(editor);
    const [root, done] = [await anIssue(editor, place), await anIssue(editor, place)];
    const waiting = await anIssue(editor, place, { blockedByIssueId: root.id });
    const further = await anIssue(editor, place, { blockedByIssueId: waiting.id });
    const released = await anIssue(editor, place, { blockedByIssueId: done.id });
    await editor.put(`/api/projects/issues/${done.id}`, { status: 'Resolved' });
    const found = async (query: string) => idsOf(await list(place, `?${query}`));
    expect(await found(`blockedBy=${root.id}`)).toEqual([waiting.id]);
    expect(await found(`blockedBy=${root.id},${waiting.id}&sort=-status`)).toEqual([further.id, waiting.id]);
    expect(await found(`blockedBy=${done.id}`)).toEqual([]);
    expect(await found('blockedBy=none')).toEqual([released.id, done.id, root.id]);
    expect(await found(`blockedBy=none,${waiting.id}`)).toEqual([released.id, further.id, done.id, root.id]);
  });

  it.each([
    ['agentId=me', 'agentId'],
    ['agentId=', 'agentId'],
    ['assigneeId=me,', 'assigneeId'],
    [`assigneeId=${Array.from({ length: 21 }, () => 'me').join()}`, 'assigneeId'],
    ['priority=low,low', 'priority'],
    ['blockedBy=PAY-1', 'blockedBy'],
    ['status=Done', 'status'],
    ['status=', 'status'],
    ['status=Open,', 'status'],
    ['status=open', 'status'],
    ['status=Open,Open', 'status'],
    ['status=Open&status=Closed', 'status'],
    ['assigneeId=nobody', 'assigneeId'],
    ['assigneeId=', 'assigneeId'],
    ['assigneeId=Me', 'assigneeId'],
    ['priority=top', 'priority'],
    ['priority=', 'priority'],
    ['q=', 'q'],
    ['sort=title', 'sort'],
    ['sort=createdAt;drop', 'sort'],
    ['sort=', 'sort'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=x', 'limit'],
    ['limit=1e2', 'limit'],
    ['limit=-1', 'limit'],
    ['count=1', 'count'],
    ['cursor=', 'cursor'],
    ['cursor=abc', 'cursor'],
    ['statuses=Open', 'statuses'],
    ['offset=3', 'offset'],
  ])('%s returns 400 and names %s', async (query, path) => {
    await expectInvalidPaths(editor.get(`${pathOfList(project)}?${query}`), path);
    await expectInvalidPaths(editor.get(`${pathOfList(null)}?${query}`), path);
  });

  it('that is nested returns 400 and is never silently ignored', async () => {
    await expectInvalidPaths(editor.get(`${pathOfList(project)}?status[a]=Open`), 'status[a]');
    await expectInvalidPaths(editor.get(`${pathOfList(project)}?status[]=Open`), 'status[]');
  });
});
