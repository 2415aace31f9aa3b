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
import { asAgent, asEditor, asViewer } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import type { Loose } from '../../../support/wire.js';
import { modern } from '../../gateway/wire-call.js';
import { expectInvariants } from '../issues/invariants.js';
import { expectInvalidPaths, expectRefused, expectSuccess, put, read } from '../issues/issue-requests.js';
import { listed } from '../issues/list-requests.js';

const service = useService();
let editor: Caller;
let viewer: Caller;
let agent: Caller;
let project: Project;
let [bug, docs, ui]: Label[] = [];
beforeAll(async () => {
  [editor, viewer, agent] = await Promise.all([asEditor(service), asViewer(service), asAgent(service)]);
  project = await aProject(editor);
  ui = await aLabel(editor, project, { name: 'UI', color: 'violet' });
  bug = await aLabel(editor, project, { name: 'bug', color: 'red' });
  docs = await aLabel(editor, project, { name: 'docs' });
});

const shown = ({ id, name, color }: Label) => ({ id, name, color });
const namesOf = ({ labels }: Pick<Issue, 'labels'>) => labels.map(({ name }) => name);
const lastOf = async (issue: Issue) =>
  (await editor.get<Loose[]>(`/api/projects/issues/${issue.id}/activity`)).body.at(-1)!;
const issuesOf = ({ id }: { id: string }) => `/api/projects/${id}/issues`;

describe('the labels of an issue', () => {
  it('are given by name in any case or by id, and shown by name, each once', async () => {
    const issue = await anIssue(editor, project, { labels: ['ui', docs!.id, 'BUG', 'bug'] });
    expect(issue.labels).toEqual([bug, docs, ui].map((label) => shown(label!)));
    expect(await read(viewer, issue)).toMatchObject({ labels: issue.labels, version: 1 });
    expect((await lastOf(issue))['data']).toMatchObject({
      labels: [ui, docs, bug].map((label) => ({ id: label!.id, name: label!.name })),
    });
  });

  it('are empty where none are given', async () => {
    expect((await anIssue(editor, project)).labels).toEqual([]);
  });

  it('are replaced by a PUT, which is a change of the issue with what was added and removed', async () => {
    const issue = await anIssue(editor, project, { labels: ['bug', 'docs'] });
    const changed = await expectSuccess(put(editor, issue, { labels: ['ui', 'bug'], priority: 'high' }));
    expect(changed).toMatchObject({ version: 2, priority: 'high', labels: [shown(bug!), shown(ui!)] });
    expect(await lastOf(issue)).toMatchObject({
      type: 'issue.updated',
      data: {
        priority: { old: 'none', new: 'high' },
        labels: { added: [{ id: ui!.id, name: 'UI' }], removed: [{ id: docs!.id, name: 'docs' }] },
      },
    });
    await expectSuccess(put(editor, issue, { labels: [] }));
    expect(await read(editor, issue)).toMatchObject({ version: 3, labels: [] });
    await expectInvariants(service);
  });

  it('that are as they were change nothing, also as the issue shows them', async () => {
    const issue = await anIssue(editor, project, { labels: ['bug', 'docs'] });
    for (const labels of [['docs', 'bug'], issue.labels, [docs!.id, 'Bug', bug!.id]])
      expect(await expectSuccess(put(editor, issue, { labels }))).toEqual(issue);
    expect(await expectSuccess(put(editor, issue, { ...issue }))).toEqual(issue);
    expect(await lastOf(issue)).toMatchObject({ type: 'issue.created' });
  });

  it('stay where the body does not name them', async () => {
    const issue = await anIssue(editor, project, { labels: ['bug'] });
    expect(await expectSuccess(put(editor, issue, { title: 'new' }))).toMatchObject({
      labels: [shown(bug!)],
    });
  });

  it('of another version are refused with 412', async () => {
    const issue = await anIssue(editor, project);
    const stale = put(editor, issue, { labels: ['bug'] }, { 'if-match': '"7"' });
    await expectRefused(stale, 412, 'version_mismatch');
    expect((await read(editor, issue)).labels).toEqual([]);
  });

  it('that do not exist are 400, each on its place, with the other errors of the body', async () => {
    const foreign = await aLabel(editor, await aProject(editor), { name: 'foreign' });
    const issue = await anIssue(editor, project, { labels: ['bug'] });
    const labels = ['docs', 'nothing', foreign.id, 'foreign', 7, null, { name: 'bug' }, ''];
    const places = [1, 2, 3, 4, 5, 6, 7].map((place) => `labels[${place}]`);
    await expectInvalidPaths(put(editor, issue, { labels }), ...places);
    await expectInvalidPaths(
      editor.post(issuesOf(project), { title: 'x', labels, goalId: foreign.id }),
      ...places,
      'goalId',
    );
    for (const bad of ['bug', null, { id: bug!.id }])
      await expectInvalidPaths(put(editor, issue, { labels: bad }), 'labels');
    expect(await read(editor, issue)).toEqual(issue);
  });

  it('are 50 at most', async () => {
    const place = await aProject(editor);
    const made = await Promise.all(Array.from({ length: 51 }, () => aLabel(editor, place)));
    const ids = made.map(({ id }) => id);
    const issue = await anIssue(editor, place, { labels: ids.slice(0, 50) });
    expect(issue.labels).toHaveLength(50);
    await expectInvalidPaths(put(editor, issue, { labels: ids }), 'labels');
    const wishes = Array.from({ length: 8 }, (_, from) => [...ids.slice(from + 1), ...ids.slice(0, from)]);
    const answers = await Promise.all(wishes.map((labels) => put(editor, issue, { labels })));
    expect(answers.map(({ status }) => status)).toEqual(wishes.map(() => 200));
    const left = (await read(editor, issue)).labels.map(({ id }) => id).toSorted();
    expect(wishes.map((labels) => labels.toSorted())).toContainEqual(left);
    await expectInvariants(service);
  });

  it('go with the issue', async () => {
    const issue = await anIssue(editor, project, { labels: ['bug'] });
    expect((await editor.delete(`/api/projects/issues/${issue.id}?confirm=true`)).status).toBe(204);
    expect(await service.sql('SELECT 1 FROM issue_labels WHERE issue_id = $1', [issue.id])).toEqual([]);
  });
});

describe('an agent', () => {
  it('sets labels of its issue, whose lease it holds, and makes none', async () => {
    const place = await aProject(editor);
    await aLabel(editor, place, { name: 'found' });
    const issue = await anIssue(editor, place, { assignedAgentId: agent.id, labels: ['found'] });
    const { body } = await agent.post<{ work: { issueId: string; token: number; brief: string }[] }>(
      '/api/agents/me/heartbeat',
      { worker: 'labels' },
    );
    const work = body.work.find(({ issueId }) => issueId === issue.id)!;
    expect(work.brief).toContain('\n\nLabels: found.\n\n');
    await expectRefused(put(agent, issue, { labels: [] }), 409, 'lease_token_required');
    const token = { 'lease-token': String(work.token) };
    await expectInvalidPaths(put(agent, issue, { labels: ['found', 'own'] }, token), 'labels[1]');
    expect(await expectSuccess(put(agent, issue, { labels: [] }, token))).toMatchObject({
      labels: [],
      status: 'InProgress',
    });
    expect(await service.sql('SELECT name FROM labels WHERE project_id = $1', [place.id])).toEqual([
      { name: 'found' },
    ]);
  });

  it('sets none on an issue that is not assigned to it', async () => {
    const issue = await anIssue(editor, project);
    await expectRefused(put(agent, issue, { labels: ['bug'] }), 403, 'not_yours');
  });

  it('labels and finds issues with the tools of the platform', async () => {
    const place = await aProject(editor);
    for (const name of ['later', 'now']) await aLabel(editor, place, { name });
    const call = async (name: string, args: object) => {
      const { message } = await modern(agent, 'tools/call', { name: `platform__${name}`, arguments: args });
      return message['result'] as unknown as { isError?: boolean; structuredContent: Loose };
    };
    const created = await call('create_issue', {
      projectId: place.id,
      title: 'Found on the way',
      labels: ['later'],
      assignedAgentId: agent.id,
    });
    const issue = created.structuredContent['issue'] as unknown as Issue;
    expect(namesOf(issue)).toEqual(['later']);
    const updated = await call('update_issue', { issueId: issue.id, labels: ['NOW'] });
    expect(namesOf(updated.structuredContent['issue'] as unknown as Issue)).toEqual(['now']);
    const found = async (labels: string[]) =>
      (await call('list_issues', { projectId: place.key, labels })).structuredContent['issues'];
    expect(await found(['now'])).toMatchObject([{ id: issue.id, labels: [{ name: 'now' }] }]);
    expect(await found(['later'])).toEqual([]);
    expect(await found(['none'])).toEqual([]);
  });
});

describe('the filter label', () => {
  let place: Project;
  let elsewhere: Project;
  const titles = async (query: string, of: Project | null = place) =>
    (await listed(editor, of, `?${query}`)).map(({ title }) => title).toSorted();
  beforeAll(async () => {
    [place, elsewhere] = [await aProject(editor), await aProject(editor)];
    for (const name of ['Fire', 'water', 'none', 'a, b'])
      await aLabel(editor, place, { name, color: 'orange' });
    await aLabel(editor, elsewhere, { name: 'fire' });
    const both = await anIssue(editor, place, { title: 'both', labels: ['fire', 'water'] });
    await anIssue(editor, place, { title: 'fire', labels: ['fire'], priority: 'high' });
    await anIssue(editor, place, { title: 'named none', labels: ['none', 'a, b'] });
    await anIssue(editor, place, { title: 'without' });
    await anIssue(editor, elsewhere, { title: 'elsewhere', labels: ['fire'] });
    await put(editor, both, { status: 'Resolved' });
  });

  it('finds the issues that have all of the labels', async () => {
    expect(await titles('label=fire')).toEqual(['both', 'fire']);
    expect(await titles('label=WATER,fire')).toEqual(['both']);
    expect(await titles('label=fire&status=Open')).toEqual(['fire']);
    expect(await titles('label=fire&q=fire&limit=5')).toEqual(['fire']);
    expect(await titles('label=fire,nothing')).toEqual([]);
    expect(await titles('label=')).toEqual([]);
  });

  it('finds the issues without a label, and those with a label of that name by its id', async () => {
    expect(await titles('label=none')).toEqual(['without']);
    expect(await titles('label=none&priority=none&sort=priority')).toEqual(['without']);
    expect(await titles('label=none,fire')).toEqual([]);
    const { body } = await editor.get<Label[]>(`/api/projects/${place.id}/labels`);
    for (const name of ['none', 'a, b'])
      expect(await titles(`label=${body.find((label) => label.name === name)!.id}`)).toEqual(['named none']);
  });

  it('finds a name in all projects that the caller sees', async () => {
    const mine = (names: string[]) => names.filter((name) => ['both', 'elsewhere', 'fire'].includes(name));
    expect(mine(await titles('label=fire&sort=-priority', null))).toEqual(['both', 'elsewhere', 'fire']);
  });

  it('narrows groups and counts, and each issue of a list shows its labels', async () => {
    const groups = await editor.get(`${issuesOf(place)}/groups?label=fire`);
    expect(groups.body).toMatchObject({ total: 2 });
    const page = await editor.get<Issue[]>(
      `${issuesOf(place)}?label=fire&fields=summary,why&count=true&sort=createdAt`,
    );
    expect(page.headers['x-total-count']).toBe('2');
    expect(page.body.map(namesOf)).toEqual([['Fire', 'water'], ['Fire']]);
  });

  it.each(['sort=createdAt', 'sort=-updatedAt', 'sort=priority', 'sort=-status'])(
    'leads through pages by %s',
    async (sort) => {
      const first = await listed(editor, place, `?label=fire&${sort}`);
      expect(first).toHaveLength(2);
      const answer = await editor.get<Issue[]>(`${issuesOf(place)}?label=fire&${sort}&limit=1`);
      const next = /^<(.*)>; rel="next"$/.exec(answer.headers['link']!)![1]!;
      expect([...answer.body, ...(await editor.get<Issue[]>(next)).body]).toEqual(first);
    },
  );

  it('takes 20 values at most', async () => {
    const many = Array.from({ length: 21 }, (_, n) => `l${n}`).join(',');
    await expectInvalidPaths(editor.get(`${issuesOf(place)}?label=${many}`), 'label');
  });
});
