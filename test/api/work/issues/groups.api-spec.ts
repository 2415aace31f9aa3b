import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  aGoal,
  aLabel,
  anAgent,
  anIssue,
  aProject,
  type Issue,
  type Project,
} from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asEditor, asViewer } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import { expectInvalidPaths } from './issue-requests.js';
import { listed } from './list-requests.js';

const service = useService();
let editor: Caller;
beforeAll(async () => {
  editor = await asEditor(service);
});

interface Group {
  value: string;
  name: string | null;
  key: string | null;
  status: string | null;
  issues: number;
}

const groupsPath = (project: Project) => `/api/projects/${project.id}/issues/groups`;

async function groupsOf(project: Project, query: string) {
  const { status, body } = await editor.get<{ groups: Group[]; total: number; capped: boolean }>(
    `${groupsPath(project)}?${query}`,
  );
  expect(status).toBe(200);
  return body;
}

describe('the groups of a list', () => {
  let project: Project;
  let agent: { id: string; name: string };
  let goal: { id: string };
  let root: Issue;
  let middle: Issue;
  beforeAll(async () => {
    project = await aProject(editor);
    agent = (await anAgent(service.owner)) as unknown as { id: string; name: string };
    goal = await aGoal(editor, project, { title: 'Ship it' });
    root = await anIssue(editor, project, { title: 'The root', assignedAgentId: agent.id, goalId: goal.id });
    middle = await anIssue(editor, project, { blockedByIssueId: root.id, assignedAgentId: agent.id });
    for (let number = 0; number < 3; number++)
      await anIssue(editor, project, { blockedByIssueId: middle.id, title: `Leaf ${number}` });
    const done = await anIssue(editor, project, { title: 'Done already' });
    await anIssue(editor, project, { blockedByIssueId: done.id, assigneeUserId: editor.id });
    await editor.put(`/api/projects/issues/${done.id}`, { status: 'Resolved' });
  });

  it('by status have every status of the filter, in the order of the contract', async () => {
    const { groups, total, capped } = await groupsOf(project, 'by=status');
    expect(groups.map(({ value, issues }) => [value, issues])).toEqual([
      ['Open', 2],
      ['InProgress', 0],
      ['WaitingOnDependency', 4],
      ['PendingReview', 0],
      ['Resolved', 1],
      ['Closed', 0],
    ]);
    expect({ total, capped }).toEqual({ total: 7, capped: false });
    expect(await groupsOf(project, `by=status&status=Open,Closed&agentId=${agent.id}`)).toMatchObject({
      groups: [
        { value: 'Open', issues: 1 },
        { value: 'Closed', issues: 0 },
      ],
      total: 1,
    });
  });

  it('by status count what words find', async () => {
    const { groups, total } = await groupsOf(project, 'by=status&q=leaf');
    expect(groups).toEqual([
      { value: 'WaitingOnDependency', name: null, key: null, status: null, issues: 3 },
    ]);
    expect(total).toBe(3);
  });

  it('by agent and goal have their names, the largest first and those without one last', async () => {
    expect((await groupsOf(project, 'by=agent')).groups).toMatchObject([
      { value: agent.id, name: agent.name, issues: 2 },
      { value: 'none', name: null, issues: 5 },
    ]);
    expect((await groupsOf(project, 'by=goal&status=Open,WaitingOnDependency')).groups).toMatchObject([
      { value: goal.id, name: 'Ship it', issues: 1 },
      { value: 'none', name: null, issues: 5 },
    ]);
  });

  it('by blocker have the unfinished issues that others wait for directly, with key and status', async () => {
    const { groups, total } = await groupsOf(project, 'by=blocker');
    expect(groups).toMatchObject([
      { value: middle.id, key: middle.key, status: 'WaitingOnDependency', issues: 3 },
      { value: root.id, name: 'The root', key: root.key, status: 'Open', issues: 1 },
      { value: 'none', key: null, issues: 3 },
    ]);
    expect(total).toBe(7);
  });

  it('by root count what waits for an issue through others too', async () => {
    expect((await groupsOf(project, 'by=root')).groups).toMatchObject([
      { value: root.id, key: root.key, issues: 4 },
    ]);
    expect((await groupsOf(project, 'by=root&q=leaf')).groups).toMatchObject([{ value: root.id, issues: 3 }]);
    const none = await groupsOf(project, 'by=root&status=Open,Resolved');
    expect(none).toEqual({ groups: [], total: 3, capped: false });
  });

  it('by root count an issue once for each root, and roots of other projects', async () => {
    const [here, elsewhere] = [await aProject(editor), await aProject(editor)];
    const far = await anIssue(editor, elsewhere, { title: 'Far' });
    const near = await anIssue(editor, here, { title: 'Near' });
    const between = await anIssue(editor, elsewhere, { blockedByIssueId: far.id });
    const waiting = await anIssue(editor, here, { blockedByIssueId: between.id });
    await editor.post(`/api/projects/issues/${waiting.id}/links`, {
      targetIssueId: near.id,
      linkType: 'BlockedBy',
    });
    const { groups } = await groupsOf(here, 'by=root');
    expect(groups.map(({ key, issues }) => [key, issues]).toSorted()).toEqual(
      [
        [far.key, 1],
        [near.key, 1],
      ].toSorted(),
    );
  });

  it('by label and parent have an issue in the group of each label, and parts in that of their parent', async () => {
    const parts = await aProject(editor);
    const [bug, ui] = [
      await aLabel(editor, parts, { name: 'bug' }),
      await aLabel(editor, parts, { name: 'ui' }),
    ];
    const whole = await anIssue(editor, parts, { title: 'The whole', labels: ['bug', 'ui'] });
    await anIssue(editor, parts, { parentId: whole.id, labels: ['ui'], title: 'A worded part' });
    await anIssue(editor, parts, { parentId: whole.id });
    expect((await groupsOf(parts, 'by=label')).groups).toEqual([
      { value: ui.id, name: 'ui', key: null, status: null, issues: 2 },
      { value: bug.id, name: 'bug', key: null, status: null, issues: 1 },
      { value: 'none', name: null, key: null, status: null, issues: 1 },
    ]);
    expect((await groupsOf(parts, 'by=label&q=worded')).groups).toMatchObject([{ value: ui.id, issues: 1 }]);
    expect(await groupsOf(parts, 'by=parent')).toMatchObject({
      groups: [
        { value: whole.id, name: 'The whole', key: whole.key, status: 'WaitingOnDependency', issues: 2 },
        { value: 'none', name: null, key: null, status: null, issues: 1 },
      ],
      total: 3,
    });
    for (const [by, filter] of [
      ['label', 'label'],
      ['parent', 'parentId'],
    ])
      for (const { value, issues } of (await groupsOf(parts, `by=${by}`)).groups)
        expect(await listed(editor, parts, `?${filter}=${value}&fields=summary`)).toHaveLength(issues);
  });

  it.each(['agent', 'goal', 'blocker', 'status'])(
    'by %s are found by the filter of their value',
    async (by) => {
      const filter = { agent: 'agentId', goal: 'goalId', blocker: 'blockedBy', status: 'status' }[by]!;
      for (const { value, issues } of (await groupsOf(project, `by=${by}`)).groups)
        expect(await listed(editor, project, `?${filter}=${value}&fields=summary`)).toHaveLength(issues);
    },
  );

  it('stop counting at 10,000, and say so', async () => {
    const large = await aProject(editor);
    await service.sql(
      `INSERT INTO issues (id, project_id, number, title, status, created_by_type, created_by_name)
       SELECT gen_random_uuid(), $1, n, 'Issue ' || n, 'Closed', 'system', 'test' FROM generate_series(1, 10002) AS n`,
      [large.id],
    );
    for (const by of ['status', 'agent'])
      expect(await groupsOf(large, `by=${by}&status=Closed`)).toMatchObject({ total: 10_000, capped: true });
  });

  it('are by status unless the request says otherwise, and refused with an unknown filter, and to those who do not see the project', async () => {
    const answers = [groupsPath(project), `${groupsPath(project)}?by=status`].map((path) => editor.get(path));
    const [plain, byStatus] = await Promise.all(answers);
    expect(plain!.body).toEqual(byStatus!.body);
    await expectInvalidPaths(editor.get(`${groupsPath(project)}?by=title`), 'by');
    await expectInvalidPaths(editor.get(`${groupsPath(project)}?by=agent&limit=3`), 'limit');
    const hidden = await aProject(service.owner, { visibility: 'members' });
    expect((await editor.get(`${groupsPath(hidden)}?by=status`)).status).toBe(404);
  });
});

describe('the counts of all projects', () => {
  interface Counts {
    projectId: string;
    Open: number;
    WaitingOnDependency: number;
    PendingReview: number;
    waiting: { onWork: number; onPerson: number };
  }

  it('are those of unfinished issues in the projects that the caller sees', async () => {
    const [open, hidden] = [await aProject(editor), await aProject(editor, { visibility: 'members' })];
    const first = await anIssue(editor, open);
    await anIssue(editor, open, { blockedByIssueId: first.id });
    const asked = await anIssue(editor, open);
    await editor.post(`/api/projects/issues/${asked.id}/gates`, { question: 'Which one?' });
    const closed = await anIssue(editor, open);
    await editor.post(`/api/projects/issues/${closed.id}/close`);
    await anIssue(editor, hidden);
    const of = async (caller: Caller, { id }: Project) =>
      (await caller.get<Counts[]>('/api/projects/counts')).body.find(({ projectId }) => projectId === id);
    expect(await of(editor, open)).toEqual({
      projectId: open.id,
      Open: 1,
      InProgress: 0,
      WaitingOnDependency: 2,
      PendingReview: 0,
      waiting: { onWork: 1, onPerson: 1 },
    });
    const viewer = await asViewer(service);
    expect(await of(viewer, open)).toMatchObject({ Open: 1 });
    expect(await of(editor, hidden)).toMatchObject({ Open: 1 });
    expect(await of(viewer, hidden)).toBeUndefined();
  });
});
