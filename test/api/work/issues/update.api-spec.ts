import { beforeAll, describe, expect, it } from '@jest/globals';
import { aGoal, anAgent, anIssue, aProject, type Issue, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asEditor } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import {
  anIssueWithAll,
  anIssueIn,
  expectSuccess,
  put,
  read,
  expectRefused,
  expectInvalidPaths,
} from './issue-requests.js';

const service = useService();
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
});

const UNKNOWN = '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff';
const aFullIssue = () => anIssueWithAll(editor, service, project);

describe('a PUT', () => {
  it('changes what it names and leaves the rest', async () => {
    const issue = await aFullIssue();
    const changed = await expectSuccess(put(editor, issue, { title: '  New  ', priority: 'urgent' }));
    expect(changed).toEqual({
      ...issue,
      title: 'New',
      priority: 'urgent',
      version: changed.version,
      updatedAt: changed.updatedAt,
    });
    expect(await read(editor, issue)).toEqual(changed);
  });

  it('accepts the issue as it was read, by id or key, and changes nothing', async () => {
    const issue = await aFullIssue();
    expect(await expectSuccess(put(editor, issue, { ...issue }))).toEqual(issue);
    expect(await expectSuccess(put(editor, { id: issue.key }, { ...issue }))).toEqual(issue);
  });

  it('accepts the issue as it was read with some fields changed', async () => {
    const issue = await aFullIssue();
    const changed = await expectSuccess(put(editor, issue, { ...issue, title: 'New', status: 'InProgress' }));
    expect(changed).toMatchObject({ title: 'New', status: 'InProgress', description: issue.description });
    await expectRefused(put(editor, issue, { ...issue, title: 'Newer' }), 412, 'version_mismatch');
  });

  it('accepts an issue in each status as it was read', async () => {
    for (const status of [
      'InProgress',
      'paused',
      'WaitingOnDependency',
      'PendingReview',
      'Resolved',
      'Closed',
    ] as const) {
      const issue = await anIssueIn(editor, project, status);
      expect(await expectSuccess(put(editor, issue, { ...issue }))).toEqual(issue);
    }
  });

  it('clears nullable fields with null', async () => {
    const issue = await aFullIssue();
    const nothing = { description: null, assignedAgentId: null, assigneeUserId: null, goalId: null };
    const cleared = await expectSuccess(put(editor, issue, nothing));
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
  ])('returns 400 on the path for %s = %j and changes nothing', async (field, value) => {
    const issue = await anIssue(editor, project);
    await expectInvalidPaths(put(editor, issue, { title: 'Changed', [field]: value }), field);
    expect(await read(editor, issue)).toEqual(issue);
  });

  it('changes nothing when one part is rejected', async () => {
    const issue = await anIssue(editor, project);
    await expectRefused(
      put(editor, issue, { title: 'Changed', status: 'PendingReview' }),
      409,
      'invalid_transition',
    );
    expect(await read(editor, issue)).toEqual(issue);
  });

  it('rejects agents and users who cannot see a members-only project, also as assignee', async () => {
    const closed = await aProject(editor, { visibility: 'members' });
    const issue = await anIssue(editor, closed);
    const [agent, other] = [await anAgent(service.owner), await asEditor(service)];
    await expectInvalidPaths(put(editor, issue, { assignedAgentId: agent.id }), 'assignedAgentId');
    await expectInvalidPaths(
      put(editor, issue, { assignee: { type: 'agent', id: agent.id } }),
      'assignee.id',
    );
    await expectInvalidPaths(put(editor, issue, { assigneeUserId: other.id }), 'assigneeUserId');
    expect(await read(editor, issue)).toEqual(issue);
  });

  it('rejects a goal of another project', async () => {
    const goal = await aGoal(editor, await aProject(editor));
    await expectInvalidPaths(put(editor, await anIssue(editor, project), { goalId: goal.id }), 'goalId');
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
    statusSince: '2020-01-01T00:00:00.000Z',
    startedAt: '2020-01-01T00:00:00.000Z',
    resolvedAt: '2020-01-01T00:00:00.000Z',
    closedAt: '2020-01-01T00:00:00.000Z',
  };

  it.each(Object.keys(OTHER))(
    '%s is accepted with its present value and returns 400 with another',
    async (field) => {
      const issue = await aFullIssue();
      const present = issue[field as keyof Issue];
      expect(await expectSuccess(put(editor, issue, { [field]: present }))).toEqual(issue);
      await expectInvalidPaths(put(editor, issue, { [field]: OTHER[field], title: 'Changed' }), field);
      if (present !== null) await expectInvalidPaths(put(editor, issue, { [field]: null }), field);
      expect(await read(editor, issue)).toEqual(issue);
    },
  );

  it('is compared by value, whatever the order of its keys', async () => {
    const issue = await aFullIssue();
    const { type, id, name } = issue.createdBy;
    expect((await put(editor, issue, { createdBy: { name, id, type } })).status).toBe(200);
  });
});
