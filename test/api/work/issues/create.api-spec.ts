import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  aGoal,
  anAgent,
  anIssue,
  aProject,
  someKey,
  type Issue,
  type Project,
} from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asEditor } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import { anIssueIn, pathOf, read, expectRefused, expectInvalidPaths } from './issue-requests.js';

const service = useService();
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
});

const create = (fields: Record<string, unknown>, headers = {}, place: { id: string } = project) =>
  editor.post<Issue>(`/api/projects/${place.id}/issues`, fields, { headers });
const UNKNOWN = '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff';

describe('creating an issue', () => {
  it('with a title alone returns an open, unassigned issue with every field', async () => {
    const key = someKey();
    const place = await aProject(editor, { key });
    const { status, body, headers } = await create({ title: 'Write the notes' }, {}, place);
    expect(status).toBe(201);
    expect(headers['location']).toBe(pathOf(body));
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      key: `${key}-1`,
      projectId: place.id,
      title: 'Write the notes',
      description: '',
      status: 'Open',
      allowedTransitions: ['InProgress', 'Resolved', 'Closed'],
      paused: false,
      priority: 'none',
      assignee: null,
      assignedAgentId: null,
      assigneeUserId: null,
      goalId: null,
      labels: [],
      parentId: null,
      holdsParent: true,
      children: { total: 0, resolved: 0 },
      links: [],
      lease: null,
      attempts: 0,
      version: 1,
      createdBy: { type: 'user', id: editor.id, name: editor.name },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: body.createdAt,
      statusSince: body.createdAt,
      startedAt: null,
      resolvedAt: null,
      closedAt: null,
      externalId: null,
      importedAt: null,
    });
    expect(await read(editor, body)).toEqual(body);
  });

  it('with every field stores them, and the agent is the assignee when both ids are given', async () => {
    const agent = await anAgent(service.owner);
    const goal = await aGoal(editor, project);
    const fields = {
      title: 'All',
      description: 'Brief',
      assignedAgentId: agent.id,
      assigneeUserId: editor.id,
      goalId: goal.id,
      priority: 'urgent',
    };
    const { body } = await create(fields);
    expect(body).toMatchObject({ ...fields, assignee: { type: 'agent', id: agent.id, name: agent.name } });
    expect((await create({ title: 'Mine', assigneeUserId: editor.id })).body.assignee).toEqual({
      type: 'user',
      id: editor.id,
      name: editor.name,
    });
  });

  it('treats null in an optional field as absent', async () => {
    const nothing = {
      description: null,
      assignedAgentId: null,
      assigneeUserId: null,
      goalId: null,
      blockedByIssueId: null,
    };
    expect((await create({ title: 'Bare', ...nothing })).body).toMatchObject({
      description: '',
      assignee: null,
      goalId: null,
      links: [],
      status: 'Open',
    });
  });

  it('numbers issues within their project, which may be given by its key', async () => {
    const place = await aProject(editor);
    const keys = [];
    for (const reference of [place.id, place.key, place.id])
      keys.push((await create({ title: 'Next' }, {}, { id: reference })).body.key);
    expect(keys).toEqual([`${place.key}-1`, `${place.key}-2`, `${place.key}-3`]);
  });

  it.each(['Open', 'InProgress', 'WaitingOnDependency', 'PendingReview'] as const)(
    'with a blocker that is %s makes an issue that waits and is linked to it',
    async (status) => {
      const blocker = await anIssueIn(editor, project, status);
      for (const reference of [blocker.id, blocker.key]) {
        const { body } = await create({ title: 'Later', blockedByIssueId: reference });
        expect(body).toMatchObject({
          status: 'WaitingOnDependency',
          version: 1,
          links: [{ targetIssueId: blocker.id, linkType: 'BlockedBy', direction: 'incoming' }],
        });
        expect(body.links).toHaveLength(1);
      }
    },
  );

  it.each(['Resolved', 'Closed'] as const)(
    'with a blocker that is %s makes an open issue that is linked to it',
    async (status) => {
      const blocker = await anIssueIn(editor, project, status);
      const { body } = await create({ title: 'Now', blockedByIssueId: blocker.id });
      expect(body).toMatchObject({
        status: 'Open',
        links: [{ targetIssueId: blocker.id, linkType: 'BlockedBy' }],
      });
    },
  );

  it('accepts a blocker in another open project and rejects one across the boundary of a members-only project', async () => {
    const [open, closed] = [await aProject(editor), await aProject(editor, { visibility: 'members' })];
    const [there, behind] = [await anIssue(editor, open), await anIssue(editor, closed)];
    expect((await create({ title: 'Across', blockedByIssueId: there.id })).body.status).toBe(
      'WaitingOnDependency',
    );
    await expectRefused(create({ title: 'Across', blockedByIssueId: behind.id }), 409, 'cross_project_link');
    await expectRefused(
      create({ title: 'Across', blockedByIssueId: there.id }, {}, closed),
      409,
      'cross_project_link',
    );
    const [{ last }] = (await service.sql<{ last: number }>(
      'SELECT last_issue_number AS last FROM projects WHERE id = $1',
      [closed.id],
    )) as [{ last: number }];
    expect(last).toBe(1);
  });
});

describe('an issue to be created is refused', () => {
  it.each([
    ['no title', {}, 'title'],
    ['an empty title', { title: '' }, 'title'],
    ['a title of blanks', { title: ' \t ' }, 'title'],
    ['null as title', { title: null }, 'title'],
    ['a number as title', { title: 7 }, 'title'],
    ['a title of 501 code points', { title: '😀'.repeat(501) }, 'title'],
    ['NUL in the title', { title: 'a\u0000b' }, 'title'],
    ['a lone surrogate in the description', { title: 'x', description: '\ud800' }, 'description'],
    ['a description over 64 KiB of UTF-8', { title: 'x', description: 'é'.repeat(32_769) }, 'description'],
    ['an unknown priority', { title: 'x', priority: 'highest' }, 'priority'],
    ['null as priority', { title: 'x', priority: null }, 'priority'],
    ['an unknown agent', { title: 'x', assignedAgentId: UNKNOWN }, 'assignedAgentId'],
    ['a malformed agent id', { title: 'x', assignedAgentId: 'nobody' }, 'assignedAgentId'],
    ['an unknown user', { title: 'x', assigneeUserId: UNKNOWN }, 'assigneeUserId'],
    ['an unknown goal', { title: 'x', goalId: UNKNOWN }, 'goalId'],
    ['an unknown blocker', { title: 'x', blockedByIssueId: UNKNOWN }, 'blockedByIssueId'],
    ['a malformed blocker', { title: 'x', blockedByIssueId: 'NOPE' }, 'blockedByIssueId'],
    ['an unknown field', { title: 'x', titel: 'y' }, 'titel'],
    ['a status', { title: 'x', status: 'Open' }, 'status'],
  ])('for %s, on its path', async (_error, fields, path) => {
    await expectInvalidPaths(create(fields), path);
  });

  it('with one row for each error', async () => {
    await expectInvalidPaths(create({ title: '', priority: 'x', extra: 1 }), 'title', 'priority', 'extra');
    const ids = {
      assignedAgentId: UNKNOWN,
      assigneeUserId: UNKNOWN,
      goalId: UNKNOWN,
      blockedByIssueId: UNKNOWN,
    };
    await expectInvalidPaths(create({ title: 'x', ...ids }), ...Object.keys(ids));
  });

  it('for a goal of another project', async () => {
    const goal = await aGoal(editor, await aProject(editor));
    await expectInvalidPaths(create({ title: 'x', goalId: goal.id }), 'goalId');
  });

  it('for assignees who cannot see a members-only project, until they are its members', async () => {
    const closed = await aProject(editor, { visibility: 'members' });
    const agent = await anAgent(service.owner);
    const other = await asEditor(service);
    const fields = { title: 'x', assignedAgentId: agent.id, assigneeUserId: other.id };
    await expectInvalidPaths(create(fields, {}, closed), 'assignedAgentId', 'assigneeUserId');
    const entries = [
      { agentId: agent.id, role: 'Editor' },
      { userId: other.id, role: 'Viewer' },
    ];
    await service.owner.put(`/api/projects/${closed.id}/members`, { entries });
    expect((await create(fields, {}, closed)).status).toBe(201);
  });

  it('for a retired agent and a disabled user', async () => {
    const agent = await anAgent(service.owner);
    await service.owner.delete(`/api/agents/${agent.id}`);
    const user = await asEditor(service);
    await service.owner.delete(`/api/users/${user.id}`);
    await expectInvalidPaths(
      create({ title: 'x', assignedAgentId: agent.id, assigneeUserId: user.id }),
      'assignedAgentId',
      'assigneeUserId',
    );
  });
});

it('text is stored byte for byte, except that the title is trimmed', async () => {
  const title = 'Ünïcödé 😀 \u202e‮ <script>';
  const description = ' \r\n\t kept \u0001 😀 \n ';
  const { body } = await create({ title: `  ${title}\n`, description });
  expect(await read(editor, body)).toMatchObject({ title, description });
  const long = { title: '😀'.repeat(500), description: 'é'.repeat(32_768) };
  expect((await create(long)).body).toMatchObject(long);
});

describe('an Idempotency-Key', () => {
  it('returns the first response again and creates one issue', async () => {
    const place = await aProject(editor);
    const headers = { 'idempotency-key': 'create-once' };
    const [first, again] = [
      await create({ title: 'Once' }, headers, place),
      await create({ title: 'Once' }, headers, place),
    ];
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers).toMatchObject({
      'idempotency-replayed': 'true',
      etag: '"1"',
      location: pathOf(first.body),
    });
    expect((await editor.get<Issue[]>(`/api/projects/${place.id}/issues`)).body).toHaveLength(1);
    await expectRefused(create({ title: 'Twice' }, headers, place), 422, 'idempotency_key_reused');
  });

  it('creates one issue from many concurrent requests', async () => {
    const place = await aProject(editor);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => create({ title: 'Once' }, { 'idempotency-key': 'at-once' }, place)),
    );
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect((await editor.get<Issue[]>(`/api/projects/${place.id}/issues`)).body).toHaveLength(1);
  });
});
