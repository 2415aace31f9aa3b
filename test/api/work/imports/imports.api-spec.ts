import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  aComment,
  aGoal,
  aLabel,
  aLink,
  anAgent,
  anIssue,
  aProject,
  type Issue,
  type Project,
} from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAdmin, asEditor, asViewer } from '../../../support/callers.js';
import { refused } from '../../../support/refusal.js';
import { useService } from '../../../support/service.js';
import type { Loose } from '../../../support/wire.js';
import { expectInvariants } from '../issues/invariants.js';
import { put } from '../issues/issue-requests.js';
import { canonical, ended, exported, imported, issuesIn, linesOf, report, send } from './import-requests.js';

const service = useService();
let admin: Caller;
let agent: { id: string; name: string };
let source: Project;

beforeAll(async () => {
  admin = await asAdmin(service);
  agent = await anAgent(admin);
  source = await aWholeProject();
});

/** A project with every kind of object, states, and a tree over blockers. */
async function aWholeProject(): Promise<Project> {
  const project = await aProject(admin, { name: 'source' });
  const goal = await aGoal(admin, project, { title: 'Release', description: 'All of it.' });
  await aLabel(admin, project, { name: 'Needs design', color: 'violet', description: 'By a person.' });
  await aLabel(admin, project, { name: 'bug', color: 'red' });
  const fields = {
    goalId: goal.id,
    labels: ['bug', 'needs design'],
    priority: 'high',
    description: '# Why\n\nü',
  };
  const first = await anIssue(admin, project, { title: 'first', ...fields, assignedAgentId: agent.id });
  const second = await anIssue(admin, project, { title: 'second' });
  const parent = await anIssue(admin, project, { title: 'parent' });
  const done = await anIssue(admin, project, { title: 'done' });
  const closed = await anIssue(admin, project, { title: 'closed' });
  await aLink(admin, first, second);
  await aLink(admin, first, done, 'RelatedTo');
  await put(admin, second, { parentId: parent.id });
  await put(admin, closed, { parentId: parent.id, holdsParent: false });
  await aComment(admin, first, 'A comment.');
  await aComment(admin, done, 'Another\none.');
  await put(admin, done, { status: 'Resolved' });
  await put(admin, closed, { status: 'Closed' });
  return project;
}

const line = (value: object) => `${JSON.stringify(value)}\n`;
const HEAD = line({ kind: 'project', format: 'agent-work-platform', version: 1, key: 'X', name: 'x' });
const issue = (externalId: string, more: object = {}) =>
  line({ kind: 'issue', externalId, title: externalId, status: 'Open', ...more });
const blocks = (from: string, to: string) =>
  line({ kind: 'link', linkType: 'Blocks', source: from, target: to });
const child = (of: string, part: string) =>
  line({ kind: 'link', linkType: 'Child', source: part, target: of });

describe('an export', () => {
  it('has every kind of object in an order in which none names a later one, and says that it is whole', async () => {
    const text = await exported(admin, source);
    const lines = linesOf(text);
    expect(lines[0]).toMatchObject({ kind: 'project', key: source.key, version: 1 });
    expect(lines.at(-1)).toEqual({
      kind: 'end',
      written: { goal: 1, label: 2, issue: 5, link: 4, comment: 2, attachment: 0 },
      leftOut: { linksToOtherProjects: 0 },
    });
    const seen = new Set<unknown>();
    for (const { externalId, goal, source: from, target, issue: on } of lines) {
      for (const named of [goal, from, target, on]) if (named) expect(seen).toContain(named);
      if (externalId) seen.add(externalId);
    }
    expect(text).not.toContain('@example.com');
  });

  it('leaves out links to other projects, and counts them', async () => {
    const project = await aProject(admin);
    const other = await aProject(admin);
    const theirs = await anIssue(admin, other, { title: 'hidden' });
    const mine = await anIssue(admin, project);
    await aLink(admin, theirs, mine);
    await aLink(admin, mine, theirs, 'RelatedTo');
    const text = await exported(admin, project);
    expect(linesOf(text).at(-1)).toMatchObject({
      written: { link: 0 },
      leftOut: { linksToOtherProjects: 2 },
    });
    expect(text).not.toContain('hidden');
  });
});

describe('an import', () => {
  it('makes an empty project equal to the exported one', async () => {
    const before = await exported(admin, source);
    const copy = await aProject(admin);
    const done = await imported(admin, copy, before);
    expect(done).toMatchObject({
      state: 'completed',
      skipped: 0,
      errors: [],
      total: 14,
      done: 14,
      created: 14,
    });
    expect(canonical(await exported(admin, copy))).toEqual(canonical(before));
    const [first, second, parent] = (await issuesIn(admin, copy)) as [Issue, Issue, Issue];
    expect(first).toMatchObject({
      assignedAgentId: agent.id,
      status: 'Open',
      createdBy: { id: null, name: admin.name },
    });
    expect([second.status, parent.status]).toEqual(['WaitingOnDependency', 'WaitingOnDependency']);
    await expectInvariants(service);
    await put(admin, first, { status: 'Resolved' });
    await put(admin, second, { status: 'Resolved' });
    expect((await issuesIn(admin, copy))[2]).toMatchObject({ status: 'Open' });
  });

  it('writes one event at its begin and one at its end in place of one per object', async () => {
    const copy = await aProject(admin);
    const { id } = await imported(admin, copy, await exported(admin, source));
    const rows = await service.sql<{ type: string; subject_id: string }>(
      'SELECT type, subject_id FROM journal WHERE project_id = $1 ORDER BY position',
      [copy.id],
    );
    expect(rows.map(({ type }) => type)).toEqual([
      'project.created',
      'import.started',
      'goal.created',
      'label.created',
      'label.created',
      'import.completed',
    ]);
    expect(rows.at(-1)!.subject_id).toBe(id);
  });

  it('changes what has changed at its source, as its person, and nothing else, when it comes again', async () => {
    const project = await aProject(admin);
    const file = (title: string, status = 'Open') =>
      HEAD + issue('x:1', { title, status, labels: ['a'] }) + issue('x:2') + blocks('x:1', 'x:2');
    await imported(admin, project, file('old'));
    const [one, two] = (await issuesIn(admin, project)) as [Issue, Issue];
    await put(admin, two, { title: 'mine' });
    expect(await imported(admin, project, file('old'))).toMatchObject({ created: 0, updated: 0, done: 3 });
    expect(await imported(admin, project, file('new', 'Resolved'))).toMatchObject({ created: 0, updated: 1 });
    const after = await issuesIn(admin, project);
    expect(after).toMatchObject([
      { id: one.id, title: 'new', status: 'Resolved', labels: [{ name: 'a' }] },
      { id: two.id, title: 'mine', status: 'Open' },
    ]);
    const timeline = (await admin.get<Loose[]>(`/api/projects/issues/${one.id}/activity`)).body;
    expect(timeline.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['issue.updated', 'issue.status_changed']),
    );
    expect(timeline[0]).toMatchObject({ actor: { id: admin.id } });
    expect(await imported(admin, project, file('new', 'Open'))).toMatchObject({ updated: 1 });
    expect((await issuesIn(admin, project))[0]).toMatchObject({ status: 'Resolved' });
    await expectInvariants(service);
  });

  it('leaves out the link that closes a circle, of blockers, of parents and of both, and says so', async () => {
    const project = await aProject(admin);
    const file =
      HEAD +
      ['a', 'b', 'c', 'd'].map((name) => issue(name)).join('') +
      blocks('a', 'b') +
      blocks('b', 'c') +
      blocks('c', 'a') +
      child('a', 'd') +
      child('d', 'a') +
      blocks('c', 'd') +
      blocks('c', 'nowhere');
    const done = await imported(admin, project, file);
    expect(done).toMatchObject({ state: 'completed', total: 11, done: 11, created: 7, skipped: 4 });
    expect(done.errors.map((error) => error.line)).toEqual([8, 10, 11, 12]);
    expect(done.errors[0]!.message).toContain('Blocks from c to a left out: This link would close a cycle');
    expect(done.errors[3]!.message).toContain('"nowhere" is not in this project');
    await expectInvariants(service);
  });

  it('reports what it cannot read or store, and imports the rest', async () => {
    const project = await aProject(admin);
    const done = await imported(
      admin,
      project,
      `${HEAD}{"kind":\n${issue('long', { title: 'ä'.repeat(600), assignee: 'No One' })}${line({ kind: 'x' })}`,
    );
    expect(done).toMatchObject({
      state: 'completed',
      created: 1,
      skipped: 2,
      errors: [
        { line: 2, message: 'left out: the record is not valid JSON' },
        { line: 3, message: 'title cut to 500 characters' },
        { line: 4, message: 'left out: the record has the unknown kind "x"' },
      ],
      ignored: { 'assignee No One': 1 },
    });
    expect(await imported(admin, project, 'not json')).toMatchObject({ state: 'failed', created: 0 });
  });

  it('gives work that an agent had begun elsewhere to the agent as open work, and only with its blockers', async () => {
    const project = await aProject(admin);
    const begun = { status: 'InProgress', agent: agent.name };
    await imported(admin, project, HEAD + issue('p', begun) + issue('q', begun) + blocks('p', 'q'));
    expect(await issuesIn(admin, project)).toMatchObject([
      { status: 'Open', assignedAgentId: agent.id },
      { status: 'WaitingOnDependency', assignedAgentId: agent.id },
    ]);
    await expectInvariants(service);
  });

  it('links issues that were there before as a person would, and ends with its person', async () => {
    const project = await aProject(admin);
    await imported(admin, project, HEAD + issue('old'));
    const [old] = (await issuesIn(admin, project)) as [Issue];
    await imported(admin, project, HEAD + issue('old') + issue('new') + blocks('new', 'old'));
    expect((await issuesIn(admin, project))[0]).toMatchObject({ status: 'WaitingOnDependency' });
    const timeline = (await admin.get<Loose[]>(`/api/projects/issues/${old.id}/activity`)).body;
    expect(timeline.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['link.created', 'issue.status_changed']),
    );
    await expectInvariants(service);
  });
});

describe('the import routes', () => {
  it('reject what is no file, another media type, a compressed body, an unknown format and an Idempotency-Key', async () => {
    const project = await aProject(admin);
    expect(await send(admin, project, HEAD, '', 'text/html')).toMatchObject(
      refused(415, 'unsupported_media_type'),
    );
    expect(await send(admin, project, '')).toMatchObject({ status: 400 });
    expect(await send(admin, project, HEAD, '?format=excel')).toMatchObject(
      refused(400, 'validation_failed', 'format'),
    );
    const headers = { 'content-type': 'application/x-ndjson' };
    const path = `/api/projects/${project.id}/imports`;
    expect(
      await admin.post(path, undefined, { rawBody: HEAD, headers: { ...headers, 'idempotency-key': 'x' } }),
    ).toMatchObject({ status: 400 });
    expect(
      await admin.post(path, undefined, {
        rawBody: HEAD,
        headers: { ...headers, 'content-encoding': 'gzip' },
      }),
    ).toMatchObject({ status: 415 });
    expect(await service.sql('SELECT 1 FROM imports WHERE project_id = $1', [project.id])).toEqual([]);
  });

  it('are for Admins of the project, and an export for its Editors', async () => {
    const [editor, viewer] = [await asEditor(service), await asViewer(service)];
    expect(await send(editor, source, HEAD)).toMatchObject(refused(403, 'forbidden'));
    expect(await viewer.get(`/api/projects/${source.id}/export`)).toMatchObject(refused(403, 'forbidden'));
    expect((await editor.get(`/api/projects/${source.id}/export`)).status).toBe(200);
    const mine = await send(admin, await aProject(admin), HEAD);
    expect(await editor.get(`/api/projects/${mine.body.projectId}/imports/${mine.body.id}`)).toMatchObject({
      status: 403,
    });
    expect(await admin.get(`/api/projects/${source.id}/imports/${mine.body.id}`)).toMatchObject({
      status: 404,
    });
    await ended(admin, mine.body);
  });

  it('end an import whose person may not write there any more', async () => {
    const leaving = await asAdmin(service);
    const project = await aProject(admin);
    const started = await service.sql<{ id: string }>(
      `INSERT INTO imports (id, project_id, format, started_by_id, started_by_name, claimed_until)
       VALUES (gen_random_uuid(), $1, 'awp', $2, 'x', now() + interval '1 hour') RETURNING id`,
      [project.id, leaving.id],
    );
    expect((await admin.delete(`/api/users/${leaving.id}`)).status).toBe(204);
    await service.sql('UPDATE imports SET claimed_until = NULL WHERE id = $1', [started[0]!.id]);
    const at = { projectId: project.id, id: started[0]!.id } as Parameters<typeof report>[1];
    expect(await ended(admin, at)).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('disabled'),
    });
  });
});
