import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  aLabel,
  anIssue,
  aProject,
  type Issue,
  type Label,
  type Project,
} from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { anonymous, asAgent, asEditor, asViewer } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import type { Loose } from '../../../support/wire.js';
import { expectInvariants } from '../issues/invariants.js';
import { expectInvalidPaths, expectRefused, put, read } from '../issues/issue-requests.js';
import { nextOf } from '../issues/list-requests.js';
import { whileUncommitted } from '../while-uncommitted.js';

const UNKNOWN = '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff';

const service = useService();
let editor: Caller;
let viewer: Caller;
let agent: Caller;
let project: Project;
beforeAll(async () => {
  [editor, viewer, agent] = await Promise.all([asEditor(service), asViewer(service), asAgent(service)]);
  project = await aProject(editor);
});

const labelsOf = ({ id }: { id: string }) => `/api/projects/${id}/labels`;
const pathOf = ({ id }: { id: string }) => `/api/projects/labels/${id}`;
const named = (name: string, place = project) => editor.post<Label>(labelsOf(place), { name });
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted();
const activityOf = async (issue: Issue) =>
  (await editor.get<Loose[]>(`/api/projects/issues/${issue.id}/activity`)).body;
const journalOf = ({ id }: { id: string }) =>
  service.sql(`SELECT type, data FROM journal WHERE subject_id = $1 ORDER BY position`, [id]);

describe('making a label', () => {
  it('returns the label, which everyone who sees the project can read', async () => {
    const { status, body, headers } = await editor.post<Label>(labelsOf(project), {
      name: '  Needs design ',
      color: 'violet',
      description: 'A designer has to look at it.',
    });
    expect(status).toBe(201);
    expect(headers['location']).toBe(pathOf(body));
    expect(body).toMatchObject({ projectId: project.id, name: 'Needs design', color: 'violet', issues: 0 });
    for (const caller of [viewer, agent]) expect((await caller.get(pathOf(body))).body).toEqual(body);
    expect((await viewer.get<Label[]>(labelsOf({ id: project.key }))).body).toContainEqual(body);
    expect(await journalOf(body)).toEqual([
      { type: 'label.created', data: { name: 'Needs design', color: 'violet' } },
    ]);
  });

  it('without a colour and a description has the grey one and an empty one', async () => {
    expect(await aLabel(editor, project)).toMatchObject({ color: 'gray', description: '' });
  });

  it.each([
    ['name', {}],
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(65) }],
    ['name', { name: 'one\n# Two' }],
    ['color', { name: 'x', color: '#ff0000' }],
    ['color', { name: 'x', color: null }],
    ['description', { name: 'x', description: 'x'.repeat(65_537) }],
    ['issues', { name: 'x', issues: 3 }],
  ])('with an invalid %s returns 400 and names it (%#)', async (path, body) => {
    await expectInvalidPaths(editor.post(labelsOf(project), body), path);
  });

  it('with a name that the project has in another case returns 409', async () => {
    const place = await aProject(editor);
    const label = await aLabel(editor, place, { name: 'Bug' });
    await expectRefused(named('bUG', place), 409, 'name_taken');
    const other = await aLabel(editor, place, { name: 'other' });
    await expectRefused(editor.put(pathOf(other), { name: 'BUG' }), 409, 'name_taken');
    expect((await editor.put<Label>(pathOf(label), { name: 'bug' })).body.name).toBe('bug');
    expect((await named('Bug', await aProject(editor))).status).toBe(201);
  });

  it('twice at once under one name succeeds once', async () => {
    const place = await aProject(editor);
    const answers = await Promise.all(['race', 'Race', 'RACE', 'race'].map((name) => named(name, place)));
    expect(statusesOf(answers)).toEqual([201, 409, 409, 409]);
    expect((await editor.get<Label[]>(labelsOf(place))).body).toHaveLength(1);
  });

  it('stops at 500 in a project, also for eight at once', async () => {
    const place = await aProject(editor);
    await service.sql(
      `INSERT INTO labels (id, project_id, name, color)
       SELECT gen_random_uuid(), $1, 'label ' || n, 'gray' FROM generate_series(1, 497) AS n`,
      [place.id],
    );
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => named(`late ${n}`, place)));
    expect(statusesOf(answers)).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
    await expectRefused(named('one more', place), 409, 'label_limit');
    expect((await editor.get<Label[]>(labelsOf(place))).body).toHaveLength(500);
  });

  it('requires an Editor: Viewers and agents get 403, callers without a credential get 401', async () => {
    const label = await aLabel(editor, project);
    for (const caller of [viewer, agent]) {
      await expectRefused(caller.post(labelsOf(project), { name: 'x' }), 403, 'forbidden');
      await expectRefused(caller.put(pathOf(label), { name: 'x' }), 403, 'forbidden');
      await expectRefused(caller.delete(pathOf(label)), 403, 'forbidden');
    }
    await expectRefused(anonymous(service).get(labelsOf(project)), 401, 'unauthenticated');
  });

  it('in a project that does not exist or that the caller cannot see returns 404', async () => {
    const hidden = await aProject(service.owner, { visibility: 'members' });
    const label = await aLabel(service.owner, hidden);
    for (const id of [UNKNOWN, 'nonsense', hidden.id])
      await expectRefused(editor.post(labelsOf({ id }), { name: 'x' }), 404, 'not_found');
    for (const id of [UNKNOWN, 'nonsense', label.id]) {
      for (const caller of [editor, viewer, agent])
        await expectRefused(caller.get(pathOf({ id })), 404, 'not_found');
      await expectRefused(editor.put(pathOf({ id }), { name: 'x' }), 404, 'not_found');
      await expectRefused(editor.delete(pathOf({ id })), 404, 'not_found');
    }
  });

  it('in a project that is being deleted returns 404', async () => {
    const place = await aProject(editor);
    const answer = whileUncommitted(service, 'DELETE FROM projects WHERE id = $1', [place.id], () =>
      named('x', place),
    );
    await expectRefused(answer, 404, 'not_found');
  });

  it('twice with one Idempotency-Key creates one label', async () => {
    const place = await aProject(editor);
    const headers = { 'idempotency-key': 'label-once' };
    const first = await editor.post<Label>(labelsOf(place), { name: 'once' }, { headers });
    const replay = await editor.post<Label>(labelsOf(place), { name: 'once' }, { headers });
    expect(replay.headers['idempotency-replayed']).toBe('true');
    expect(replay.body).toEqual(first.body);
    expect((await editor.get<Label[]>(labelsOf(place))).body).toEqual([first.body]);
  });
});

describe('the labels of a project', () => {
  it('are listed by name without regard to case, in pages', async () => {
    const place = await aProject(editor);
    for (const name of ['beta', 'Alpha', 'alpine', 'Gamma', 'zeta']) await aLabel(editor, place, { name });
    const first = await viewer.get<Label[]>(`${labelsOf(place)}?limit=3&count=true`);
    expect(first.headers['x-total-count']).toBe('5');
    const second = await viewer.get<Label[]>(nextOf(first)!);
    const names = [...first.body, ...second.body].map(({ name }) => name);
    expect(names).toEqual(['Alpha', 'alpine', 'beta', 'Gamma', 'zeta']);
    expect(nextOf(second)).toBeNull();
  });

  it('count the unresolved issues that have them', async () => {
    const place = await aProject(editor);
    const label = await aLabel(editor, place, { name: 'bug' });
    const issues = await Promise.all([1, 2, 3].map(() => anIssue(editor, place, { labels: ['bug'] })));
    await put(editor, issues[0]!, { status: 'Resolved' });
    expect((await viewer.get<Label[]>(labelsOf(place))).body).toMatchObject([{ id: label.id, issues: 2 }]);
    expect((await editor.put<Label>(pathOf(label), { color: 'red' })).body.issues).toBe(2);
  });
});

describe('changing a label', () => {
  it('records old and new values, and shows on issues without a new version of them', async () => {
    const label = await aLabel(editor, project, { name: 'before', description: 'why' });
    const issue = await anIssue(editor, project, { labels: [label.id] });
    const { body } = await editor.put<Label>(pathOf(label), { name: 'after', color: 'teal' });
    expect(body).toMatchObject({ id: label.id, name: 'after', color: 'teal', description: 'why' });
    expect(await read(editor, issue)).toMatchObject({
      version: issue.version,
      labels: [{ id: label.id, name: 'after', color: 'teal' }],
    });
    expect((await journalOf(label)).at(-1)).toEqual({
      type: 'label.updated',
      data: { name: { old: 'before', new: 'after' }, color: { old: 'gray', new: 'teal' } },
    });
  });

  it('to its present values changes nothing', async () => {
    const label = await aLabel(editor, project, { name: 'same' });
    expect((await editor.put<Label>(pathOf(label), { name: 'same' })).body).toEqual(label);
    expect(await journalOf(label)).toHaveLength(1);
  });
});

describe('deleting a label', () => {
  it('takes it off its issues, which get a new version and an entry in their timelines', async () => {
    const label = await aLabel(editor, project, { name: 'doomed' });
    const kept = await aLabel(editor, project, { name: 'kept' });
    const issue = await anIssue(editor, project, { labels: ['doomed', 'kept'] });
    const other = await anIssue(editor, project, { labels: ['kept'] });
    expect((await editor.delete(pathOf(label))).status).toBe(204);
    const after = await read(editor, issue);
    expect(after).toMatchObject({ version: issue.version + 1, labels: [{ id: kept.id }] });
    expect((await activityOf(issue)).at(-1)).toMatchObject({
      type: 'issue.updated',
      actor: { type: 'user', id: editor.id },
      data: { labels: { added: [], removed: [{ id: label.id, name: 'doomed' }] } },
    });
    expect(await read(editor, other)).toEqual(other);
    await expectRefused(editor.get(pathOf(label)), 404, 'not_found');
    await expectInvariants(service);
  });

  it('while issues get it leaves no issue with it, and none without an entry in its timeline', async () => {
    const label = await aLabel(editor, project);
    const issues = await Promise.all(Array.from({ length: 15 }, () => anIssue(editor, project)));
    const coming = issues.map(async (issue) => put(editor, issue, { labels: [label.id] }));
    const [deleted, ...answers] = await Promise.all([editor.delete(pathOf(label)), ...coming]);
    expect(deleted?.status).toBe(204);
    for (const [index, issue] of issues.entries()) {
      const { status } = answers[index]!;
      expect([200, 400]).toContain(status);
      expect(await read(editor, issue)).toMatchObject({ labels: [], version: status === 200 ? 3 : 1 });
    }
    await expectInvariants(service);
  });

  it('takes it off an issue that is being given it, and records that', async () => {
    const label = await aLabel(editor, project, { name: 'arriving' });
    const issue = await anIssue(editor, project);
    const give = `WITH given AS (INSERT INTO issue_labels (label_id, issue_id) VALUES ($1, $2))
      UPDATE issues SET label_count = 1, version = version + 1 WHERE id = $2`;
    const answer = await whileUncommitted(service, give, [label.id, issue.id], () =>
      editor.delete(pathOf(label)),
    );
    expect(answer.status).toBe(204);
    expect(await read(editor, issue)).toMatchObject({ labels: [], version: issue.version + 2 });
    expect((await activityOf(issue)).at(-1)!['data']).toMatchObject({
      labels: { removed: [{ id: label.id, name: 'arriving' }] },
    });
    await expectInvariants(service);
  });

  it('makes a concurrent request that names it return 400 on its place', async () => {
    const issue = await anIssue(editor, project);
    for (const write of [
      (labels: string[]) => put(editor, issue, { labels }),
      (labels: string[]) => editor.post(`/api/projects/${project.id}/issues`, { title: 'x', labels }),
    ]) {
      const [stays, goes] = [await aLabel(editor, project), await aLabel(editor, project)];
      const answer = whileUncommitted(service, 'DELETE FROM labels WHERE id = $1', [goes.id], () =>
        write([stays.id, goes.name]),
      );
      await expectInvalidPaths(answer, 'labels[1]');
    }
    expect(await read(editor, issue)).toMatchObject({ labels: [], version: issue.version });
  });

  it('in two concurrent requests succeeds once', async () => {
    const label = await aLabel(editor, project);
    const answers = await Promise.all([editor.delete(pathOf(label)), editor.delete(pathOf(label))]);
    expect(statusesOf(answers)).toEqual([204, 404]);
  });
});
