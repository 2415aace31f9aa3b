import { beforeAll, describe, expect, it } from '@jest/globals';
import { aLink, anAgent, anIssue, aProject, type Issue, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asEditor, withKey } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import type { Loose } from '../../../support/wire.js';
import type { Heartbeat } from '../../gateway/heartbeat-requests.js';
import { expectInvariants } from './invariants.js';
import {
  act,
  anIssueIn,
  expectInvalidPaths,
  expectRefused,
  expectSuccess,
  link,
  pathOf,
  put,
  read,
  remove,
} from './issue-requests.js';

const service = useService();
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
});

type Identified = { id: string };
const aChild = (parent: Identified, fields = {}) =>
  anIssue(editor, project, { parentId: parent.id, ...fields });
const place = (issue: Identified, parentId: string | null, fields = {}) =>
  put(editor, issue, { parentId, ...fields });
const statusOf = async (issue: Identified) => (await read(editor, issue)).status;
const idsOf = (issues: Issue[]) => issues.map(({ id }) => id);

describe('a sub-issue', () => {
  it('names its parent, which counts its children and those that are finished', async () => {
    const parent = await anIssue(editor, project);
    expect(parent).toMatchObject({ parentId: null, holdsParent: true, children: { total: 0, resolved: 0 } });
    const child = await aChild(parent);
    const other = await anIssue(editor, project, { parentId: parent.key, holdsParent: false });
    expect(child).toMatchObject({ parentId: parent.id, holdsParent: true });
    expect(other).toMatchObject({ parentId: parent.id, holdsParent: false });
    await put(editor, other, { status: 'Resolved' });
    const counted = { children: { total: 2, resolved: 1 } };
    expect(await read(editor, parent)).toMatchObject(counted);
    const list = await editor.get<Issue[]>(
      `/api/projects/${project.id}/issues?ids=${parent.id}&fields=summary`,
    );
    expect(list.body).toEqual([expect.objectContaining(counted)]);
  });

  it('is no link: it is in no list of links and cannot be deleted as one', async () => {
    const parent = await anIssue(editor, project);
    const child = await aChild(parent);
    expect((await read(editor, parent)).links).toEqual([]);
    expect((await editor.get(`${pathOf(child)}/links`)).body).toEqual([]);
    const [edge] = await service.sql<{ id: string }>(
      `SELECT id FROM issue_links WHERE source_issue_id = '${child.id}'`,
    );
    await expectRefused(editor.delete(`/api/projects/links/${edge!.id}`), 404, 'not_found');
    await expectRefused(link(editor, child, 'Blocks', parent), 409, 'link_exists');
  });

  it('is listed by its parent, oldest first, and by the filter of lists', async () => {
    const parent = await anIssue(editor, project);
    const children = [await aChild(parent), await aChild(parent), await aChild(parent)];
    await put(editor, children[1]!, { status: 'Resolved' });
    const listed = await editor.get<Issue[]>(`${pathOf(parent)}/children`);
    expect(idsOf(listed.body)).toEqual(idsOf(children));
    const open = await editor.get<Issue[]>(
      `${pathOf(parent)}/children?status=Open&sort=-createdAt&fields=summary,why`,
    );
    expect(idsOf(open.body)).toEqual([children[2]!.id, children[0]!.id]);
    expect(open.body[0]).toHaveProperty('why');
    const list = (query: string) =>
      editor.get<Issue[]>(`/api/projects/${project.id}/issues?limit=1000&${query}`);
    for (const sort of ['createdAt', 'updatedAt', 'priority', 'status'])
      expect(new Set(idsOf((await list(`parentId=${parent.id}&sort=${sort}`)).body))).toEqual(
        new Set(idsOf(children)),
      );
    for (const top of [await list('parentId=none'), await list('parentId=none&status=WaitingOnDependency')]) {
      expect(idsOf(top.body)).toContain(parent.id);
      for (const { parentId } of top.body) expect(parentId).toBeNull();
    }
    expect(idsOf((await list(`parentId=none,${parent.id}`)).body)).toEqual(
      expect.arrayContaining([parent.id, ...idsOf(children)]),
    );
    await expectInvalidPaths(
      editor.get(`/api/projects/${project.id}/issues?parentId=${parent.key}`),
      'parentId',
    );
    await expectInvalidPaths(editor.get(`${pathOf(parent)}/children?parentId=none`), 'parentId');
  });

  it('and its parent as they were read are bodies that change nothing', async () => {
    const parent = await anIssue(editor, project);
    const child = await aChild(parent, { holdsParent: false });
    for (const issue of [await read(editor, parent), await read(editor, child)]) {
      expect((await put(editor, issue, issue)).body).toMatchObject({ version: issue.version });
      await expectInvalidPaths(put(editor, issue, { children: { total: 9, resolved: 0 } }), 'children');
    }
  });
});

describe('a child that holds its parent', () => {
  it.each([
    ['resolved', (child: Issue) => put(editor, child, { status: 'Resolved' })],
    ['closed', (child: Issue) => act(editor, child, 'close')],
    ['deleted', (child: Issue) => remove(editor, child)],
    ['moved to the top level', (child: Issue) => place(child, null)],
    ['one that holds no more', (child: Issue) => put(editor, child, { holdsParent: false })],
  ])('makes it wait until the last one is %s', async (_how, end) => {
    const parent = await anIssueIn(editor, project, 'InProgress');
    const [first, last] = [await aChild(parent), await aChild(parent)];
    expect(await statusOf(parent)).toBe('WaitingOnDependency');
    await put(editor, first, { status: 'Resolved' });
    expect(await statusOf(parent)).toBe('WaitingOnDependency');
    await expectSuccess(end(last));
    expect(await statusOf(parent)).toBe('Open');
    await expectInvariants(service);
  });

  it('makes a new parent wait, and unblocks the one before', async () => {
    const [before, after] = [await anIssue(editor, project), await anIssue(editor, project)];
    const child = await aChild(before);
    const moved = await expectSuccess(place(child, after.key));
    expect(moved).toMatchObject({ parentId: after.id, version: child.version + 1 });
    expect([await statusOf(before), await statusOf(after)]).toEqual(['Open', 'WaitingOnDependency']);
  });

  it('makes it wait again when it is reopened', async () => {
    const parent = await anIssue(editor, project);
    const child = await aChild(parent);
    await put(editor, child, { status: 'Resolved' });
    await expectSuccess(put(editor, child, { status: 'Open' }));
    expect(await statusOf(parent)).toBe('WaitingOnDependency');
  });

  it('reopens a resolved parent, and what waited for that waits again', async () => {
    const parent = await anIssueIn(editor, project, 'Resolved');
    const dependent = await anIssue(editor, project);
    await aLink(editor, parent, dependent);
    expect(await statusOf(dependent)).toBe('Open');
    await aChild(parent);
    expect([await statusOf(parent), await statusOf(dependent)]).toEqual([
      'WaitingOnDependency',
      'WaitingOnDependency',
    ]);
  });

  it('leaves it as it is with holdsParent: false, or when it is finished', async () => {
    const parent = await anIssueIn(editor, project, 'InProgress');
    await aChild(parent, { holdsParent: false });
    await expectSuccess(place(await anIssueIn(editor, project, 'Resolved'), parent.id));
    expect(await statusOf(parent)).toBe('InProgress');
  });

  it('does not keep a person from resolving it', async () => {
    const parent = await anIssue(editor, project);
    await aChild(parent);
    await expectSuccess(put(editor, parent, { status: 'Resolved' }));
    await expectSuccess(put(editor, parent, { status: 'Open' }));
    expect(await statusOf(parent)).toBe('WaitingOnDependency');
  });

  it('is a child in explain, and an edge of its own in the graph', async () => {
    const parent = await anIssue(editor, project);
    const blocker = await anIssue(editor, project);
    const child = await aChild(parent);
    await aLink(editor, blocker, parent);
    const { body } = await editor.get<Loose>(`${pathOf(parent)}/explain`);
    expect(body).toMatchObject({
      reason: 'waiting',
      blockedBy: [
        { key: blocker.key, kind: 'blocker' },
        { key: child.key, kind: 'child' },
      ],
    });
    expect(body['next']).toContain(`It waits for ${blocker.key}, ${child.key}`);
    const graph = await editor.get<{ nodes: { key: string; hidden: number }[]; edges: Loose[] }>(
      `/api/projects/${project.id}/graph?focus=${parent.key}`,
    );
    expect(graph.body.edges).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ source: child.id, target: parent.id, linkType: 'Child' }),
      ]),
    );
    expect(graph.body.nodes.map(({ hidden }) => hidden)).toEqual([0, 0, 0]);
  });
});

describe('a parent is refused', () => {
  it('where it is unknown or the issue itself (400), or of another project (409)', async () => {
    const issue = await anIssue(editor, project);
    const elsewhere = await anIssue(editor, await aProject(editor));
    const create = (parentId: string) =>
      editor.post(`/api/projects/${project.id}/issues`, { title: 'x', parentId });
    for (const unknown of ['nope', '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff', `${project.key}-999999`]) {
      await expectInvalidPaths(create(unknown), 'parentId');
      await expectInvalidPaths(place(issue, unknown), 'parentId');
    }
    await expectInvalidPaths(place(issue, issue.key), 'parentId');
    await expectRefused(create(elsewhere.id), 409, 'cross_project_link');
    await expectRefused(place(issue, elsewhere.key), 409, 'cross_project_link');
    await expectInvalidPaths(put(editor, issue, { holdsParent: 'yes' }), 'holdsParent');
  });

  it('where it is Closed and the child is not finished', async () => {
    const closed = await anIssueIn(editor, project, 'Closed');
    const issue = await anIssue(editor, project);
    await expectRefused(place(issue, closed.id), 409, 'invalid_transition');
    // The table of states refuses only what holds the parent.
    await expectRefused(place(issue, closed.id, { holdsParent: false }), 409, 'invalid_transition');
    const done = await anIssueIn(editor, project, 'Resolved');
    await expectRefused(place(done, closed.id, { status: 'Open' }), 409, 'invalid_transition');
    await expectSuccess(place(done, closed.id));
    await expectSuccess(put(editor, done, { status: 'Open' }));
    expect(await statusOf(closed)).toBe('Closed');
  });

  it('where it is below the issue, also by children that hold nothing', async () => {
    const top = await anIssue(editor, project);
    const middle = await aChild(top, { holdsParent: false });
    const low = await aChild(middle);
    const { path } = await expectRefused(place(top, low.id), 409, 'dependency_cycle');
    expect((path as unknown as Issue[]).map(({ key }) => key)).toEqual([
      top.key,
      low.key,
      middle.key,
      top.key,
    ]);
  });

  it('where blockers and parents together would close a circle', async () => {
    const [one, two] = [await anIssue(editor, project), await anIssue(editor, project)];
    await aLink(editor, one, two);
    const { path } = await expectRefused(place(two, one.id), 409, 'dependency_cycle');
    expect((path as unknown as Issue[]).map(({ key }) => key)).toEqual([two.key, one.key, two.key]);
    const child = await expectSuccess(place(two, one.id, { holdsParent: false }));
    await expectRefused(put(editor, two, { holdsParent: true }), 409, 'dependency_cycle');
    expect(child).toMatchObject({ parentId: one.id });
    const [parent, blocker] = [await anIssue(editor, project), await anIssue(editor, project)];
    await aLink(editor, parent, blocker);
    const both = { title: 'x', parentId: parent.id, blockedByIssueId: blocker.id };
    const created = editor.post(`/api/projects/${project.id}/issues`, both);
    await expectRefused(created, 409, 'dependency_cycle');
    await expectRefused(link(editor, parent, 'Blocks', await aChild(parent)), 409, 'dependency_cycle');
    expect((await read(editor, parent)).children).toEqual({ total: 1, resolved: 0 });
  });

  it('where a link makes it wait for the issue already', async () => {
    const parent = await anIssue(editor, project);
    const blocker = await anIssue(editor, project);
    await aLink(editor, blocker, parent);
    await expectRefused(place(blocker, parent.id), 409, 'link_exists');
    await expectSuccess(place(blocker, parent.id, { holdsParent: false }));
  });

  it('where the tree would have more than 8 levels', async () => {
    const levels = [await anIssue(editor, project)];
    for (let level = 2; level <= 8; level += 1) levels.push(await aChild(levels.at(-1)!));
    const lowest = { title: 'x', parentId: levels[7]!.id };
    await expectRefused(editor.post(`/api/projects/${project.id}/issues`, lowest), 409, 'depth_limit');
    const pair = await anIssue(editor, project);
    await aChild(pair);
    await expectRefused(place(pair, levels[6]!.id), 409, 'depth_limit');
    await expectSuccess(place(pair, levels[5]!.id));
    await expectInvariants(service);
  });

  it('where it has 1,000 children', async () => {
    const place1000 = await aProject(editor);
    const parent = await anIssue(editor, place1000);
    await service.sql(`
      INSERT INTO issues (id, project_id, number, title, status, created_by_type, created_by_name, parent_id)
      SELECT gen_random_uuid(), '${place1000.id}', 1 + n, 'Part ' || n, 'Resolved', 'system', 'test', '${parent.id}'
      FROM generate_series(1, 1000) AS n`);
    await service.sql(`UPDATE projects SET last_issue_number = 1001 WHERE id = '${place1000.id}'`);
    const body = { title: 'x', parentId: parent.id };
    await expectRefused(editor.post(`/api/projects/${place1000.id}/issues`, body), 409, 'child_limit');
    const [one] = (await editor.get<Issue[]>(`${pathOf(parent)}/children?limit=1`)).body;
    await expectSuccess(put(editor, one!, { holdsParent: false }));
  });
});

describe('the close of a parent', () => {
  it('is refused while issues below it are open, on any level', async () => {
    const top = await anIssue(editor, project);
    const middle = await aChild(top);
    const low = await aChild(middle, { holdsParent: false });
    await put(editor, middle, { status: 'Resolved' });
    for (const close of [act(editor, top, 'close'), put(editor, top, { status: 'Closed' })]) {
      const { children } = await expectRefused(close, 409, 'open_children');
      expect(children).toEqual([{ id: low.id, key: low.key, title: low.title, status: 'Open' }]);
    }
    await put(editor, low, { status: 'Resolved' });
    await expectSuccess(act(editor, top, 'close'));
  });

  it('with force closes them too, the deepest first, and unblocks what waited for any of them', async () => {
    const grandparent = await anIssue(editor, project);
    const top = await aChild(grandparent);
    const middle = await aChild(top);
    const low = await aChild(middle);
    const done = await aChild(middle);
    await put(editor, done, { status: 'Resolved' });
    const dependent = await anIssue(editor, project, { blockedByIssueId: low.id });
    await expectSuccess(act(editor, top, 'close?force=true'));
    const after = await Promise.all([top, middle, low, done, dependent, grandparent].map(statusOf));
    expect(after).toEqual(['Closed', 'Closed', 'Closed', 'Resolved', 'Open', 'Open']);
    const closes = await service.sql<{ id: string; cause: string }>(`
      SELECT issue_id AS id, data->>'cause' AS cause FROM journal
      WHERE data->>'new' = 'Closed' AND issue_id IN ('${top.id}', '${middle.id}', '${low.id}') ORDER BY position`);
    expect(closes).toEqual([
      { id: low.id, cause: 'parent_closed' },
      { id: middle.id, cause: 'parent_closed' },
      { id: top.id, cause: 'closed_by_force' },
    ]);
    const opened = await service.sql(
      `SELECT 1 FROM journal WHERE data->>'new' = 'Open' AND issue_id = '${middle.id}'`,
    );
    expect(opened).toEqual([]);
    await expectInvariants(service);
  });

  it('is no matter of the close of a child, which unblocks it', async () => {
    const parent = await anIssue(editor, project);
    const child = await aChild(parent);
    await expectSuccess(act(editor, child, 'close'));
    expect(await statusOf(parent)).toBe('Open');
  });
});

describe('the deletion of a parent', () => {
  it('leaves its children on the top level, with an entry in their timelines', async () => {
    const grandparent = await anIssue(editor, project);
    const parent = await aChild(grandparent);
    const children = [await aChild(parent), await aChild(parent, { holdsParent: false })];
    await expectSuccess(remove(editor, parent));
    for (const child of children) {
      expect(await read(editor, child)).toMatchObject({
        parentId: null,
        holdsParent: true,
        version: child.version + 1,
        status: 'Open',
      });
      const { body } = await editor.get<Loose[]>(`${pathOf(child)}/activity?type=issue.updated`);
      expect(body).toEqual([expect.objectContaining({ data: { parentId: { old: parent.id, new: null } } })]);
    }
    expect(await statusOf(grandparent)).toBe('Open');
    await expectInvariants(service);
  });
});

describe('the timeline', () => {
  it('of a parent shows its children come and go, and that of a child its parents', async () => {
    const [one, other] = [await anIssue(editor, project), await anIssue(editor, project)];
    const child = await aChild(one);
    await place(child, other.id);
    const rows = async (issue: Issue) =>
      (await editor.get<{ type: string; data: Loose }[]>(`${pathOf(issue)}/activity`)).body.map(
        ({ type, data }) => [type, data],
      );
    expect(await rows(one)).toEqual(
      expect.arrayContaining([
        ['issue.child_added', { childId: child.id }],
        ['issue.status_changed', expect.objectContaining({ cause: 'child_added', blockerId: child.id })],
        ['issue.child_removed', { childId: child.id }],
        ['issue.status_changed', expect.objectContaining({ cause: 'child_removed', new: 'Open' })],
      ]),
    );
    expect(await rows(child)).toEqual([
      ['issue.created', expect.objectContaining({ parentId: one.id })],
      ['issue.updated', { parentId: { old: one.id, new: other.id } }],
    ]);
  });
});

describe('an agent', () => {
  const aWorker = async () => {
    const agent = await anAgent(service.owner);
    return Object.assign(withKey(service, agent.key), { agentId: agent.id });
  };
  const beat = async (agent: Caller, leases: object[] = []) =>
    (await agent.post<Heartbeat>('/api/agents/me/heartbeat', { leases })).body;

  it('splits the issue that it holds: its lease ends, and the issue comes back with what was done', async () => {
    const agent = await aWorker();
    const issue = await anIssue(editor, project, { assignedAgentId: agent.agentId });
    const { token } = (await beat(agent)).pickedUp[0]!.lease;
    const free = await expectSuccess(
      agent.post(`/api/projects/${project.id}/issues`, {
        title: 'a',
        parentId: issue.id,
        holdsParent: false,
      }),
    );
    expect((await read(editor, issue)).status).toBe('InProgress');
    const part = { title: 'Collect', parentId: issue.key };
    const child = await expectSuccess(agent.post(`/api/projects/${project.id}/issues`, part));
    expect(await beat(agent, [{ issueId: issue.id, token }])).toMatchObject({
      stop: [{ issueId: issue.id, reason: 'waiting' }],
    });
    const done = child as unknown as Issue;
    await put(editor, done, { status: 'Resolved' });
    const again = await agent.post<{ work: { brief: string; state: string }[] }>('/api/agents/me/heartbeat', {
      worker: 'w',
      capacity: 1,
    });
    const [work] = again.body.work;
    expect(work!.state).toBe('start');
    expect(work!.brief).toContain(
      `## Its sub-issues\n\n- ${free['key']}: a (Open)\n- ${done.key}: Collect (Resolved)`,
    );
  });

  it('reads in the brief which issue it is a part of, and what is done beside it', async () => {
    const agent = await aWorker();
    const parent = await anIssue(editor, project, { title: 'Release' });
    const done = await aChild(parent, { title: 'Collect' });
    await put(editor, done, { status: 'Resolved' });
    await aChild(parent, { title: 'Not done' });
    await aChild(parent, { assignedAgentId: agent.agentId });
    const { body } = await agent.post<{ work: { brief: string }[] }>('/api/agents/me/heartbeat', {
      worker: 'w',
      capacity: 1,
    });
    expect(body.work[0]!.brief).toContain(
      `## Part of\n\n- ${parent.key}: Release (WaitingOnDependency)\n\n## Done beside it\n\n- ${done.key}: Collect (Resolved)`,
    );
    expect(body.work[0]!.brief).not.toContain('Not done');
  });

  it('gives children to no issue of others, and takes none from them', async () => {
    const agent = await aWorker();
    const foreign = await anIssue(editor, project);
    const body = { title: 'x', parentId: foreign.id, holdsParent: false };
    await expectRefused(agent.post(`/api/projects/${project.id}/issues`, body), 403, 'forbidden');
    const own = await anIssue(editor, project, { assignedAgentId: agent.agentId, parentId: foreign.id });
    await expectRefused(put(agent, own, { parentId: null }), 403, 'forbidden');
    await expectRefused(put(agent, own, { holdsParent: false }), 403, 'forbidden');
    await expectSuccess(put(agent, own, { parentId: foreign.key, title: 'y' }));
    expect(await read(editor, own)).toMatchObject({ parentId: foreign.id, holdsParent: true, title: 'y' });
    const resolved = await anIssueIn(editor, project, 'Resolved', { assignedAgentId: agent.agentId });
    const late = agent.post(`/api/projects/${project.id}/issues`, { title: 'x', parentId: resolved.id });
    await expectRefused(late, 403, 'forbidden');
  });
});

describe('the database', () => {
  it('refuses an issue as its own parent, a parent of another project, and an edge without a child', async () => {
    const [issue, other] = [await anIssue(editor, project), await anIssue(editor, await aProject(editor))];
    const set = (id: string) => service.sql(`UPDATE issues SET parent_id = '${id}' WHERE id = '${issue.id}'`);
    await expect(set(issue.id)).rejects.toThrow('issues_parent_not_itself');
    await expect(set(other.id)).rejects.toThrow('the parent of an issue is an issue of the same project');
  });
});
