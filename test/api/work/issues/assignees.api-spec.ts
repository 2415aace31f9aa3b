import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAgent, anIssue, aProject, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAgent, asEditor } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import {
  anIssueWithAll,
  act,
  anIssueIn,
  expectSuccess,
  pathOf,
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

describe('the assignee', () => {
  it('is an agent or a user, set by type and id, and cleared with null', async () => {
    const issue = await anIssue(editor, project);
    const agent = await anAgent(service.owner);
    const toAgent = await expectSuccess(put(editor, issue, { assignee: { type: 'agent', id: agent.id } }));
    expect(toAgent).toMatchObject({
      assignedAgentId: agent.id,
      assigneeUserId: null,
      assignee: { type: 'agent', id: agent.id, name: agent.name },
    });
    const toUser = await expectSuccess(put(editor, issue, { assignee: { type: 'user', id: editor.id } }));
    expect(toUser).toMatchObject({
      assignedAgentId: null,
      assigneeUserId: editor.id,
      assignee: { type: 'user', id: editor.id, name: editor.name },
    });
    expect(await expectSuccess(put(editor, issue, { assignee: null }))).toMatchObject({
      assignedAgentId: null,
      assigneeUserId: null,
      assignee: null,
    });
  });

  it('is the agent when both ids are set, and the person stays responsible', async () => {
    const issue = await anIssue(editor, project, { assigneeUserId: editor.id });
    const agent = await anAgent(service.owner);
    const both = await expectSuccess(put(editor, issue, { assignee: { type: 'agent', id: agent.id } }));
    expect(both).toMatchObject({
      assignee: { type: 'agent' },
      assignedAgentId: agent.id,
      assigneeUserId: editor.id,
    });
    expect(await expectSuccess(put(editor, issue, { assignedAgentId: null }))).toMatchObject({
      assignee: { type: 'user', id: editor.id },
    });
  });

  it('may be sent with ids that agree, as in an issue that was read, and returns 400 with ids that differ', async () => {
    const issue = await aFullIssue();
    const other = await anAgent(service.owner);
    expect(
      (await expectSuccess(put(editor, issue, { ...issue, assignedAgentId: other.id }))).assignedAgentId,
    ).toBe(other.id);
    const now = await read(editor, issue);
    const assignee = { type: 'agent', id: issue.assignedAgentId };
    await expectInvalidPaths(
      put(editor, now, { assignee, assignedAgentId: (await anAgent(service.owner)).id }),
      'assignedAgentId',
    );
    expect(
      (await expectSuccess(put(editor, now, { assignee, assignedAgentId: issue.assignedAgentId })))
        .assignedAgentId,
    ).toBe(issue.assignedAgentId);
  });

  it.each([
    [{ type: 'robot', id: UNKNOWN }, 'assignee.type'],
    [{ type: 'agent' }, 'assignee.id'],
    [{ type: 'agent', id: UNKNOWN, role: 'x' }, 'assignee.role'],
    ['agent', 'assignee'],
    [[], 'assignee'],
    [{ type: 'agent', id: UNKNOWN }, 'assignee.id'],
    [{ type: 'user', id: UNKNOWN }, 'assignee.id'],
  ])('returns 400 for %j on %s', async (assignee, path) => {
    await expectInvalidPaths(put(editor, await anIssue(editor, project), { assignee }), path);
  });

  it('returns 400 on the field that was sent', async () => {
    const issue = await anIssue(editor, project);
    await expectInvalidPaths(put(editor, issue, { assignedAgentId: UNKNOWN }), 'assignedAgentId');
    await expectInvalidPaths(put(editor, issue, { assigneeUserId: UNKNOWN }), 'assigneeUserId');
    const hidden = await anIssue(editor, await aProject(editor, { visibility: 'members' }));
    const agent = await anAgent(service.owner);
    const assignee = { type: 'agent', id: agent.id };
    await expectInvalidPaths(put(editor, hidden, { assignee }), 'assignee.id');
    await expectInvalidPaths(put(editor, hidden, { assignedAgentId: agent.id }), 'assignedAgentId');
  });
});

describe('the id of an issue', () => {
  it('may be its key in every path and body that takes an id', async () => {
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
  ])('returns 404 when no issue has it (%j)', async (id) => {
    const path = `/api/projects/issues/${id.includes('%') ? id : encodeURIComponent(id)}`;
    await expectRefused(editor.get(path), 404, 'not_found');
    await expectRefused(editor.put(path, { title: 'x' }), 404, 'not_found');
    await expectRefused(editor.post(`${path}/close`), 404, 'not_found');
    await expectRefused(editor.delete(`${path}?confirm=true`), 404, 'not_found');
    await expectRefused(editor.get(`${path}/links`), 404, 'not_found');
  });

  it('is accepted in upper case', async () => {
    const issue = await anIssue(editor, project);
    expect((await read(editor, { id: issue.id.toUpperCase() })).id).toBe(issue.id);
  });
});

describe('an agent', () => {
  it('updates fields of its own issues, and may send back the others as it read them', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(editor, project, { assignedAgentId: agent.id });
    const seen = await read(agent, issue);
    expect(await expectSuccess(put(agent, issue, { ...seen, description: 'Done so far' }))).toMatchObject({
      description: 'Done so far',
    });
  });

  it('cannot change issues of others or reassign its own', async () => {
    const [agent, other] = [await asAgent(service), await asAgent(service)];
    const [own, foreign] = [
      await anIssue(editor, project, { assignedAgentId: agent.id }),
      await anIssue(editor, project, { assignedAgentId: other.id }),
    ];
    const unassigned = await anIssue(agent, project);
    for (const issue of [foreign, unassigned])
      await expectRefused(put(agent, issue, { title: 'Mine' }), 403, 'not_yours');
    for (const change of [
      { assignedAgentId: other.id },
      { assignedAgentId: null },
      { assigneeUserId: editor.id },
      { assignee: null },
      { assignee: { type: 'user', id: editor.id } },
    ])
      await expectRefused(put(agent, own, change), 403, 'forbidden');
    expect(await read(editor, own)).toEqual(own);
    expect(await read(editor, foreign)).toEqual(foreign);
  });

  it.each(['close', 'close?force=true', 'pause', 'resume'])(
    'cannot use %s, even on its own issue',
    async (action) => {
      const agent = await asAgent(service);
      const issue = await anIssueIn(editor, project, 'InProgress', { assignedAgentId: agent.id });
      await expectRefused(act(agent, issue, action), 403, 'forbidden');
    },
  );

  it('cannot delete an issue', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(agent, project);
    await expectRefused(agent.delete(`${pathOf(issue)}?confirm=true`), 403, 'forbidden');
  });

  it('creates issues whose createdBy names it', async () => {
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
