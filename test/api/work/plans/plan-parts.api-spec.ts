import { beforeAll, describe, expect, it } from '@jest/globals';
import { aLink, anIssue, aProject, type Issue, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAgent, asEditor } from '../../../support/callers.js';
import { refused } from '../../../support/refusal.js';
import { useService } from '../../../support/service.js';
import type { Loose } from '../../../support/wire.js';
import { expectInvariants } from '../issues/invariants.js';
import { anIssueIn, put, read } from '../issues/issue-requests.js';
import { contentOf, plan, type Plan, type Planned } from './plan-requests.js';

type Row = Plan['issues'][number];

const service = useService();
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
});

const UNKNOWN = '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff';

describe('the parts of a plan', () => {
  it('hold their parents, of the plan or not, unless they say otherwise', async () => {
    const parent = await anIssue(editor, project);
    const beside = await anIssue(editor, project);
    const { body } = await plan(editor, project, [
      { ref: 'a', parent: parent.key },
      { ref: 'b', parent: 'a' },
      { ref: 'c', parent: 'b', holdsParent: false },
      { ref: 'd', parent: beside.id, holdsParent: false },
      { ref: 'e', parent: 'a', blockedBy: ['b'] },
    ]);
    expect(body.issues.map(({ status }) => status)).toEqual([
      'WaitingOnDependency',
      'Open',
      'Open',
      'Open',
      'WaitingOnDependency',
    ]);
    const [a, b, c] = body.issues as [Row, Row, Row];
    expect(await read(editor, parent)).toMatchObject({
      status: 'WaitingOnDependency',
      children: { total: 1, resolved: 0 },
    });
    expect(await read(editor, beside)).toMatchObject({ status: 'Open', children: { total: 1 } });
    expect(await read(editor, a)).toMatchObject({ parentId: parent.id, children: { total: 2 }, links: [] });
    expect(await read(editor, c)).toMatchObject({ parentId: b.id, holdsParent: false });
    const rows = (await editor.get<Loose[]>(`/api/projects/issues/${parent.id}/activity`)).body;
    expect(
      rows.map(({ type, data }) => [type, (data as Loose)['cause'] ?? (data as Loose)['childId']]),
    ).toEqual(
      expect.arrayContaining([
        ['issue.child_added', a.id],
        ['issue.status_changed', 'child_added'],
      ]),
    );
    await expectInvariants(service);
    for (const part of [b, body.issues[4]!, a]) await put(editor, part, { status: 'Resolved' });
    expect(await read(editor, parent)).toMatchObject({ status: 'Open', children: { total: 1, resolved: 1 } });
    await expectInvariants(service);
  });

  it('end the lease of an agent that splits its issue, and give the issue back when they are done', async () => {
    const agent = await asAgent(service);
    const mine = await anIssue(editor, project, { assignedAgentId: agent.id });
    const beat = (body: object) =>
      agent.post<{ pickedUp: { issue: Issue; lease: { token: number } }[]; stop: Loose[] }>(
        '/api/agents/me/heartbeat',
        body,
      );
    const [held] = (await beat({})).body.pickedUp;
    const leases = [{ issueId: mine.id, token: held!.lease.token }];
    expect((await plan(agent, project, [{ ref: 'part', parent: mine.key }], { dryRun: true })).status).toBe(
      200,
    );
    const { body } = await plan(agent, project, [
      { ref: 'part', parent: mine.key, assignedAgentId: agent.id },
    ]);
    const next = (await beat({ leases })).body;
    expect(next.stop).toMatchObject([{ issueId: mine.id, reason: 'waiting' }]);
    expect(next.pickedUp.map(({ issue }) => issue.id)).toEqual([body.issues[0]!.id]);
    await put(editor, body.issues[0]!, { status: 'Resolved' });
    expect((await beat({})).body.pickedUp.map(({ issue }) => issue.id)).toEqual([mine.id]);
  });

  it.each<[string, (own: Issue, place: Project) => Planned[] | Promise<Planned[]>, number, string, string]>([
    [
      'an unknown parent',
      () => [{ ref: 'a', parent: UNKNOWN }],
      400,
      'validation_failed',
      'issues[0].parent',
    ],
    ['itself', () => [{ ref: 'a', parent: 'a' }], 400, 'validation_failed', 'issues[0].parent'],
    ['a number', () => [{ ref: 'a', parent: 7 }], 400, 'validation_failed', 'issues[0].parent'],
    [
      'a parent of another project',
      async () => [{ ref: 'a' }, { ref: 'b', parent: (await anIssue(editor, await aProject(editor))).key }],
      409,
      'cross_project_link',
      'issues[1].parent',
    ],
    [
      'a Closed parent',
      async (_, place) => [{ ref: 'a', parent: (await anIssueIn(editor, place, 'Closed')).id }],
      409,
      'invalid_transition',
      'issues[0].parent',
    ],
    [
      'a circle of parents',
      () => [
        { ref: 'a', parent: 'b', holdsParent: false },
        { ref: 'b', parent: 'a', holdsParent: false },
      ],
      409,
      'dependency_cycle',
      'issues[1].parent',
    ],
    [
      'a part that waits for its parent',
      () => [{ ref: 'a' }, { ref: 'b', parent: 'a', blockedBy: ['a'] }],
      409,
      'dependency_cycle',
      'issues[1].parent',
    ],
    [
      'a part that waits for its existing parent',
      (own) => [{ ref: 'b', parent: own.id, blockedBy: [own.key] }],
      409,
      'dependency_cycle',
      'issues[0].parent',
    ],
    [
      'a part that its parent names as a blocker',
      () => [
        { ref: 'a', blockedBy: ['b'] },
        { ref: 'b', parent: 'a' },
      ],
      409,
      'link_exists',
      'issues[0].blockedBy[0]',
    ],
    [
      'nine levels',
      () => [...'abcdefghi'].map((ref, at, all) => ({ ref, ...(at > 0 && { parent: all[at - 1] }) })),
      409,
      'depth_limit',
      'issues[8].parent',
    ],
    [
      'eight levels below an existing one',
      (own) => [...'abcdefgh'].map((ref, at, all) => ({ ref, parent: at > 0 ? all[at - 1] : own.id })),
      409,
      'depth_limit',
      'issues[7].parent',
    ],
  ])('are refused at their place: %s', async (_, issuesOfPlan, status, code, path) => {
    const own = await anIssue(editor, project);
    const issues = await issuesOfPlan(own, project);
    const before = await contentOf(service, project);
    for (const dryRun of [true, false])
      expect(await plan(editor, project, issues, { dryRun })).toMatchObject({
        status,
        body: { code, errors: expect.arrayContaining([expect.objectContaining({ path })]) },
      });
    expect(await contentOf(service, project)).toEqual(before);
  });

  it('close no circle through issues that exist: the path has all of them', async () => {
    const [parent, between, blocker] = [
      await anIssue(editor, project),
      await anIssue(editor, project),
      await anIssue(editor, project),
    ];
    await aLink(editor, parent, between);
    await aLink(editor, between, blocker);
    const { status, body } = await plan(editor, project, [
      { ref: 'first', blockedBy: [blocker.id] },
      { ref: 'part', blockedBy: ['first'], parent: parent.id },
    ]);
    const { code, path, errors } = body as unknown as Loose & { path: { ref?: string; key?: string }[] };
    expect({ status, code }).toEqual({ status: 409, code: 'dependency_cycle' });
    const names = path.map(({ ref, key }) => ref ?? key);
    expect(names.at(-1)).toBe(names[0]);
    expect([...names, ...names.slice(1)].join(' ')).toContain(
      ['first', 'part', parent.key, between.key, blocker.key, 'first'].join(' '),
    );
    expect(errors).toEqual([{ path: 'issues[1].parent', message: 'closes a cycle' }]);
    const free = [{ ref: 'part', blockedBy: [blocker.id], parent: parent.id, holdsParent: false }];
    expect((await plan(editor, project, free)).status).toBe(201);
    await expectInvariants(service);
  });

  it('are at most 1,000 of one existing issue', async () => {
    const parent = await anIssue(editor, project);
    await service.sql(
      `INSERT INTO issues (id, project_id, number, title, status, created_by_type, created_by_name, parent_id, holds_parent)
       SELECT gen_random_uuid(), $1, 600000 + n, 'Issue', 'Open', 'system', 'test', $2, false FROM generate_series(1, 999) AS n`,
      [project.id, parent.id],
    );
    const two = ['a', 'b'].map((ref) => ({ ref, parent: parent.id, holdsParent: false }));
    expect(await plan(editor, project, two)).toMatchObject(refused(409, 'child_limit', 'issues[1].parent'));
    expect((await plan(editor, project, two.slice(1))).status).toBe(201);
  });

  it('belong to an issue of the agent itself', async () => {
    const agent = await asAgent(service);
    const foreign = await anIssue(editor, project);
    expect(await plan(agent, project, [{ ref: 'a', parent: foreign.id }])).toMatchObject(
      refused(403, 'forbidden', 'issues[0].parent'),
    );
  });
});
