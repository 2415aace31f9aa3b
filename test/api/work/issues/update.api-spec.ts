import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  aGoal,
  aLink,
  anAgent,
  anIssue,
  aProject,
  type Issue,
  type Project,
} from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAgent, asEditor } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import { act, anIssueIn, must, pathOf, put, read, refused, refusedPaths } from './issue-acts.js';

const service = useService();
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
});

const UNKNOWN = '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff';
/** All at once, as an issue that has everything. */
async function aFullIssue(): Promise<Issue> {
  const agent = await anAgent(service.owner);
  const goal = await aGoal(editor, project);
  const fields = {
    description: 'Brief',
    assignedAgentId: agent.id,
    assigneeUserId: editor.id,
    goalId: goal.id,
    priority: 'low',
  };
  const issue = await anIssue(editor, project, fields);
  await aLink(editor, issue, await anIssue(editor, project));
  return read(editor, issue);
}

describe('a PUT', () => {
  it('changes what it names and leaves the rest', async () => {
    const issue = await aFullIssue();
    const changed = await must(put(editor, issue, { title: '  New  ', priority: 'urgent' }));
    expect(changed).toEqual({
      ...issue,
      title: 'New',
      priority: 'urgent',
      version: changed.version,
      updatedAt: changed.updatedAt,
    });
    expect(await read(editor, issue)).toEqual(changed);
  });

  it('takes the issue as it was read, by id or key, and changes nothing then', async () => {
    const issue = await aFullIssue();
    expect(await must(put(editor, issue, { ...issue }))).toEqual(issue);
    expect(await must(put(editor, { id: issue.key }, { ...issue }))).toEqual(issue);
  });

  it('takes the issue as it was read with some fields changed', async () => {
    const issue = await aFullIssue();
    const changed = await must(put(editor, issue, { ...issue, title: 'New', status: 'InProgress' }));
    expect(changed).toMatchObject({ title: 'New', status: 'InProgress', description: issue.description });
    await refused(put(editor, issue, { ...issue, title: 'Newer' }), 412, 'version_mismatch');
  });

  it('takes an issue of each status as it was read', async () => {
    for (const status of [
      'InProgress',
      'paused',
      'WaitingOnDependency',
      'PendingReview',
      'Resolved',
      'Closed',
    ] as const) {
      const issue = await anIssueIn(editor, project, status);
      expect(await must(put(editor, issue, { ...issue }))).toEqual(issue);
    }
  });

  it('clears with null what can be empty', async () => {
    const issue = await aFullIssue();
    const nothing = { description: null, assignedAgentId: null, assigneeUserId: null, goalId: null };
    const cleared = await must(put(editor, issue, nothing));
    expect(cleared).toMatchObject({
      description: '',
      assignedAgentId: null,
      assigneeUserId: null,
      assignee: null,
      goalId: null,
    });
    expect(await read(editor, issue)).toEqual(cleared);
  });

  it.each([
    ['title', null],
    ['title', ''],
    ['title', 5],
    ['status', null],
    ['status', 'Done'],
    ['status', 'open'],
    ['priority', null],
    ['priority', 3],
    ['description', 'é'.repeat(32_769)],
    ['assignedAgentId', UNKNOWN],
    ['assigneeUserId', UNKNOWN],
    ['goalId', UNKNOWN],
    ['assignedAgentId', 'x'],
    ['titel', 'x'],
    ['blockedByIssueId', UNKNOWN],
    ['force', true],
  ])('with %s = %j is 400 on its path and changes nothing', async (field, value) => {
    const issue = await anIssue(editor, project);
    await refusedPaths(put(editor, issue, { title: 'Changed', [field]: value }), field);
    expect(await read(editor, issue)).toEqual(issue);
  });

  it('changes nothing at all where one part is refused', async () => {
    const issue = await anIssue(editor, project);
    await refused(
      put(editor, issue, { title: 'Changed', status: 'PendingReview' }),
      409,
      'invalid_transition',
    );
    expect(await read(editor, issue)).toEqual(issue);
  });

  it('refuses people who cannot see a members-only project, also as assignee', async () => {
    const closed = await aProject(editor, { visibility: 'members' });
    const issue = await anIssue(editor, closed);
    const [agent, other] = [await anAgent(service.owner), await asEditor(service)];
    await refusedPaths(put(editor, issue, { assignedAgentId: agent.id }), 'assignedAgentId');
    await refusedPaths(put(editor, issue, { assignee: { type: 'agent', id: agent.id } }), 'assignedAgentId');
    await refusedPaths(put(editor, issue, { assigneeUserId: other.id }), 'assigneeUserId');
    expect(await read(editor, issue)).toEqual(issue);
  });

  it('refuses a goal of another project', async () => {
    const goal = await aGoal(editor, await aProject(editor));
    await refusedPaths(put(editor, await anIssue(editor, project), { goalId: goal.id }), 'goalId');
  });
});

describe('a read-only field', () => {
  const OTHER: Record<string, unknown> = {
    id: UNKNOWN,
    key: 'OTHER-1',
    projectId: UNKNOWN,
    allowedTransitions: ['Closed'],
    paused: true,
    links: [],
    lease: { expiresAt: '2030-01-01T00:00:00.000Z' },
    attempts: 3,
    createdBy: { type: 'system', id: null, name: 'x' },
    createdAt: '2020-01-01T00:00:00.000Z',
    updatedAt: '2020-01-01T00:00:00.000Z',
    startedAt: '2020-01-01T00:00:00.000Z',
    resolvedAt: '2020-01-01T00:00:00.000Z',
    closedAt: '2020-01-01T00:00:00.000Z',
  };

  it.each(Object.keys(OTHER))('%s passes with its present value and is 400 with another', async (field) => {
    const issue = await aFullIssue();
    const present = issue[field as keyof Issue];
    expect(await must(put(editor, issue, { [field]: present }))).toEqual(issue);
    await refusedPaths(put(editor, issue, { [field]: OTHER[field], title: 'Changed' }), field);
    if (present !== null) await refusedPaths(put(editor, issue, { [field]: null }), field);
    expect(await read(editor, issue)).toEqual(issue);
  });

  it('is compared by what it says, not by the order of its keys', async () => {
    const issue = await aFullIssue();
    const { type, id, name } = issue.createdBy;
    expect((await put(editor, issue, { createdBy: { name, id, type } })).status).toBe(200);
  });
});

describe('the assignee', () => {
  it('is an agent or a user, set by type and id, and cleared with null', async () => {
    const issue = await anIssue(editor, project);
    const agent = await anAgent(service.owner);
    const toAgent = await must(put(editor, issue, { assignee: { type: 'agent', id: agent.id } }));
    expect(toAgent).toMatchObject({
      assignedAgentId: agent.id,
      assigneeUserId: null,
      assignee: { type: 'agent', id: agent.id, name: agent.name },
    });
    const toUser = await must(put(editor, issue, { assignee: { type: 'user', id: editor.id } }));
    expect(toUser).toMatchObject({
      assignedAgentId: null,
      assigneeUserId: editor.id,
      assignee: { type: 'user', id: editor.id, name: editor.name },
    });
    expect(await must(put(editor, issue, { assignee: null }))).toMatchObject({
      assignedAgentId: null,
      assigneeUserId: null,
      assignee: null,
    });
  });

  it('is the agent where both ids are set; a person stays who answers for it', async () => {
    const issue = await anIssue(editor, project, { assigneeUserId: editor.id });
    const agent = await anAgent(service.owner);
    const both = await must(put(editor, issue, { assignee: { type: 'agent', id: agent.id } }));
    expect(both).toMatchObject({
      assignee: { type: 'agent' },
      assignedAgentId: agent.id,
      assigneeUserId: editor.id,
    });
    expect(await must(put(editor, issue, { assignedAgentId: null }))).toMatchObject({
      assignee: { type: 'user', id: editor.id },
    });
  });

  it('may stand beside the ids where they agree, as in an issue that was read, and is 400 where they do not', async () => {
    const issue = await aFullIssue();
    const other = await anAgent(service.owner);
    expect((await must(put(editor, issue, { ...issue, assignedAgentId: other.id }))).assignedAgentId).toBe(
      other.id,
    );
    const now = await read(editor, issue);
    const assignee = { type: 'agent', id: issue.assignedAgentId };
    await refusedPaths(
      put(editor, now, { assignee, assignedAgentId: (await anAgent(service.owner)).id }),
      'assignedAgentId',
    );
    expect(
      (await must(put(editor, now, { assignee, assignedAgentId: issue.assignedAgentId }))).assignedAgentId,
    ).toBe(issue.assignedAgentId);
  });

  it.each([
    [{ type: 'robot', id: UNKNOWN }, 'assignee.type'],
    [{ type: 'agent' }, 'assignee.id'],
    [{ type: 'agent', id: UNKNOWN, role: 'x' }, 'assignee.role'],
    ['agent', 'assignee'],
    [[], 'assignee'],
    [{ type: 'agent', id: UNKNOWN }, 'assignedAgentId'],
    [{ type: 'user', id: UNKNOWN }, 'assigneeUserId'],
  ])('%j is 400 on %s', async (assignee, path) => {
    await refusedPaths(put(editor, await anIssue(editor, project), { assignee }), path);
  });
});

describe('an id of an issue', () => {
  it('may be its key, wherever a path or a body takes one', async () => {
    const [one, other] = [await anIssueIn(editor, project, 'InProgress'), await anIssue(editor, project)];
    expect((await read(editor, { id: one.key })).id).toBe(one.id);
    expect((await act(editor, { id: one.key }, 'pause')).status).toBe(204);
    expect((await act(editor, { id: one.key }, 'resume')).status).toBe(204);
    const made = await editor.post(`${pathOf({ id: one.key })}/links`, {
      targetIssueId: other.key,
      linkType: 'Blocks',
    });
    expect(made.body).toMatchObject({ issueId: one.id, targetIssueId: other.id });
    expect((await editor.get(`${pathOf({ id: other.key })}/links`)).body).toHaveLength(1);
    expect((await act(editor, { id: one.key }, 'close?force=true')).status).toBe(204);
    expect((await editor.delete(`${pathOf({ id: one.key })}?confirm=true`)).status).toBe(204);
  });

  it.each([
    '',
    '0',
    '1',
    'null',
    'undefined',
    UNKNOWN,
    'DOCS',
    'docs-1',
    'DOCS-0',
    'DOCS-01',
    'DOCS-1e3',
    'DOCS-99999999999',
    '%00',
    '../projects',
    "' OR 1=1",
    UNKNOWN.toUpperCase(),
  ])('that names nothing (%j) is 404', async (id) => {
    const path = `/api/projects/issues/${id.includes('%') ? id : encodeURIComponent(id)}`;
    if (id === '') return;
    await refused(editor.get(path), 404, 'not_found');
    await refused(editor.put(path, { title: 'x' }), 404, 'not_found');
    await refused(editor.post(`${path}/close`), 404, 'not_found');
    await refused(editor.delete(`${path}?confirm=true`), 404, 'not_found');
    await refused(editor.get(`${path}/links`), 404, 'not_found');
  });

  it('is taken in upper case too', async () => {
    const issue = await anIssue(editor, project);
    expect((await read(editor, { id: issue.id.toUpperCase() })).id).toBe(issue.id);
  });
});

describe('an agent', () => {
  it('updates fields of the issues assigned to it, echoing them as it read them', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
    const seen = await read(agent, issue);
    expect(await must(put(agent, issue, { ...seen, description: 'Done so far' }))).toMatchObject({
      description: 'Done so far',
    });
  });

  it('does not touch issues of others, nor reassign its own', async () => {
    const [agent, other] = [await asAgent(service), await asAgent(service)];
    const [own, foreign] = [
      await anIssue(editor, project, { assignedAgentId: agent.id }),
      await anIssue(editor, project, { assignedAgentId: other.id }),
    ];
    const unassigned = await anIssue(agent, project);
    for (const issue of [foreign, unassigned])
      await refused(put(agent, issue, { title: 'Mine' }), 403, 'forbidden');
    for (const change of [
      { assignedAgentId: other.id },
      { assignedAgentId: null },
      { assigneeUserId: editor.id },
      { assignee: null },
      { assignee: { type: 'user', id: editor.id } },
    ])
      await refused(put(agent, own, change), 403, 'forbidden');
    expect(await read(editor, own)).toEqual(own);
    expect(await read(editor, foreign)).toEqual(foreign);
  });

  it.each(['close', 'close?force=true', 'pause', 'resume'])(
    'never does %s, not even with its own issue',
    async (action) => {
      const agent = await asAgent(service);
      const issue = await anIssueIn(editor, project, 'InProgress', { assignedAgentId: agent.id });
      await refused(act(agent, issue, action), 403, 'forbidden');
    },
  );

  it('never deletes an issue', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(agent, project);
    await refused(agent.delete(`${pathOf(issue)}?confirm=true`), 403, 'forbidden');
  });

  it('creates issues, told as made by it', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(agent, project, {
      assignedAgentId: agent.id,
      blockedByIssueId: (await anIssue(editor, project)).id,
    });
    expect(issue).toMatchObject({
      status: 'WaitingOnDependency',
      createdBy: { type: 'agent', id: agent.id, name: agent.name },
    });
  });
});
