import { beforeAll, describe, expect, it } from '@jest/globals';
import type { GoalResponse } from '../../../src/work/goals/goal.dto.js';
import { aGoal, anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { anonymous, asAgent, asEditor, asViewer } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import type { Wire } from '../../support/wire.js';
import { whileUncommitted } from './while-uncommitted.js';

type Goal = Wire<GoalResponse>;
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

const goalsOf = ({ id }: { id: string }) => `/api/projects/${id}/goals`;
const pathOf = ({ id }: { id: string }) => `/api/projects/goals/${id}`;
const issuePath = ({ id }: { id: string }) => `/api/projects/issues/${id}`;
const codeOf = async (answer: Promise<{ status: number; text: string }>) => {
  const { status, text } = await answer;
  return `${status} ${(JSON.parse(text) as { code: string }).code}`;
};

describe('making a goal', () => {
  it('returns the goal, which everyone who sees the project can read', async () => {
    const { status, body, headers } = await editor.post<Goal>(goalsOf(project), {
      title: '  Release 2.0 ',
      description: ' why ',
    });
    expect(status).toBe(201);
    expect(headers['location']).toBe(pathOf(body));
    expect(body).toMatchObject({
      projectId: project.id,
      title: 'Release 2.0',
      description: ' why ',
      updatedAt: body.createdAt,
    });
    for (const caller of [viewer, agent]) expect((await caller.get(pathOf(body))).body).toEqual(body);
    expect((await viewer.get<Goal[]>(goalsOf({ id: project.key }))).body).toContainEqual(body);
  });

  it('without a description stores an empty one', async () => {
    expect((await aGoal(editor, project)).description).toBe('');
  });

  it.each([
    ['title', {}],
    ['title', { title: ' ' }],
    ['title', { title: 'x'.repeat(501) }],
    ['title', { title: 'a\0' }],
    ['description', { title: 'x', description: 'x'.repeat(65_537) }],
    ['description', { title: 'x', description: null }],
    ['projectId', { title: 'x', projectId: UNKNOWN }],
  ])('with an invalid %s returns 400 and names it (%#)', async (path, body) => {
    const answer = await editor.post<{ errors: { path: string }[] }>(goalsOf(project), body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((fault) => fault.path)).toEqual([path]);
  });

  it('requires an Editor: Viewers and agents get 403, callers without a credential get 401', async () => {
    for (const caller of [viewer, agent]) {
      expect(await codeOf(caller.post(goalsOf(project), { title: 'x' }))).toBe('403 forbidden');
      expect(await codeOf(caller.put(pathOf(await aGoal(editor, project)), { title: 'x' }))).toBe(
        '403 forbidden',
      );
      expect(await codeOf(caller.delete(pathOf(await aGoal(editor, project))))).toBe('403 forbidden');
    }
    expect(await codeOf(anonymous(service).post(goalsOf(project), { title: 'x' }))).toBe(
      '401 unauthenticated',
    );
    expect(await codeOf(anonymous(service).get(goalsOf(project)))).toBe('401 unauthenticated');
  });

  it('in a project that does not exist or that the caller cannot see returns 404', async () => {
    const hidden = await aProject(service.owner, { visibility: 'members' });
    const goal = await aGoal(service.owner, hidden);
    for (const id of [UNKNOWN, 'nonsense', hidden.id])
      expect(await codeOf(editor.post(goalsOf({ id }), { title: 'x' }))).toBe('404 not_found');
    for (const id of [UNKNOWN, 'nonsense', goal.id]) {
      for (const caller of [editor, viewer, agent])
        expect(await codeOf(caller.get(pathOf({ id })))).toBe('404 not_found');
      expect(await codeOf(editor.put(pathOf({ id }), { title: 'x' }))).toBe('404 not_found');
      expect(await codeOf(editor.delete(pathOf({ id })))).toBe('404 not_found');
      expect(await codeOf(viewer.delete(pathOf({ id })))).toBe('403 forbidden');
    }
  });

  it('in a project that is being deleted returns 404', async () => {
    const place = await aProject(editor);
    const make = () => editor.post(goalsOf(place), { title: 'x' });
    expect(
      await codeOf(whileUncommitted(service, 'DELETE FROM projects WHERE id = $1', [place.id], make)),
    ).toBe('404 not_found');
  });

  it('twice with one Idempotency-Key creates one goal', async () => {
    const headers = { 'idempotency-key': 'goal-once' };
    const place = await aProject(editor);
    const answers = [1, 2].map(() => editor.post<Goal>(goalsOf(place), { title: 'once' }, { headers }));
    await Promise.all(answers);
    const replay = await editor.post<Goal>(goalsOf(place), { title: 'once' }, { headers });
    expect(replay.headers['idempotency-replayed']).toBe('true');
    expect((await editor.get<Goal[]>(goalsOf(place))).body).toEqual([replay.body]);
  });
});

describe('the goals of a project', () => {
  it('are listed oldest first, in pages', async () => {
    const place = await aProject(editor);
    for (const title of ['1', '2', '3']) await aGoal(editor, place, { title });
    const first = await viewer.get<Goal[]>(`${goalsOf(place)}?limit=2&count=true`);
    expect(first.headers['x-total-count']).toBe('3');
    const next = /^<(.*)>; rel="next"$/.exec(first.headers['link']!)![1]!;
    const second = await viewer.get<Goal[]>(next);
    expect([...first.body, ...second.body].map(({ title }) => title)).toEqual(['1', '2', '3']);
    expect(second.headers['link']).toBeUndefined();
  });
});

describe('changing a goal', () => {
  it('keeps the fields that the body omits, and records old and new values in the journal', async () => {
    const goal = await aGoal(editor, project, { title: 'before', description: 'why' });
    const { status, body } = await editor.put<Goal>(pathOf(goal), { title: 'after' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: goal.id, title: 'after', description: 'why' });
    expect((await viewer.get(pathOf(goal))).body).toEqual(body);
    const entries = await service.sql(
      `SELECT data FROM journal WHERE type = 'goal.updated' AND subject_id = $1`,
      [goal.id],
    );
    expect(entries).toEqual([{ data: { title: { old: 'before', new: 'after' } } }]);
  });

  it('to its present values changes nothing', async () => {
    const goal = await aGoal(editor, project, { title: 'same' });
    expect((await editor.put<Goal>(pathOf(goal), { title: 'same' })).body).toEqual(goal);
    expect(
      await service.sql(`SELECT 1 FROM journal WHERE type = 'goal.updated' AND subject_id = $1`, [goal.id]),
    ).toEqual([]);
  });

  it('with null or an unknown field returns 400', async () => {
    const goal = await aGoal(editor, project);
    for (const body of [{ title: null }, { id: goal.id }])
      expect(await codeOf(editor.put(pathOf(goal), body))).toBe('400 validation_failed');
  });
});

describe('deleting a goal', () => {
  it('removes it from its issues, which get a new version and an entry in their timelines', async () => {
    const goal = await aGoal(editor, project);
    const issues = [
      await anIssue(editor, project, { goalId: goal.id }),
      await anIssue(editor, project, { goalId: goal.id }),
    ];
    const other = await anIssue(editor, project, { goalId: (await aGoal(editor, project)).id });
    expect((await editor.delete(pathOf(goal))).status).toBe(204);
    for (const issue of issues) {
      const { body } = await editor.get<Issue>(issuePath(issue));
      expect(body).toMatchObject({ goalId: null, version: issue.version + 1 });
      const { body: activity } = await editor.get<{ type: string; data: unknown }[]>(
        `${issuePath(issue)}/activity`,
      );
      expect(activity.at(-1)).toMatchObject({
        type: 'issue.updated',
        actor: { type: 'user', id: editor.id },
        data: { goalId: { old: goal.id, new: null } },
      });
    }
    expect((await editor.get(issuePath(other))).body).toEqual(other);
    expect(await codeOf(editor.get(pathOf(goal)))).toBe('404 not_found');
  });

  it('while issues are assigned to it leaves no issue with a deleted goal, and none without an entry in its timeline', async () => {
    const goal = await aGoal(editor, project);
    const issues = await Promise.all(Array.from({ length: 15 }, () => anIssue(editor, project)));
    const coming = issues.map(async (issue) => editor.put(issuePath(issue), { goalId: goal.id }));
    const [deleted, ...answers] = await Promise.all([editor.delete(pathOf(goal)), ...coming]);
    expect(deleted?.status).toBe(204);
    for (const { status } of answers) expect([200, 400]).toContain(status);
    for (const [index, issue] of issues.entries()) {
      const { body } = await editor.get<Issue>(issuePath(issue));
      expect(body.goalId).toBeNull();
      expect(body.version).toBe(answers[index]!.status === 200 ? 3 : 1);
    }
  });

  it('removes it from an issue that is being assigned to it, and records that', async () => {
    const goal = await aGoal(editor, project);
    const issue = await anIssue(editor, project);
    const come = 'UPDATE issues SET goal_id = $1, version = version + 1 WHERE id = $2';
    const answer = await whileUncommitted(service, come, [goal.id, issue.id], () =>
      editor.delete(pathOf(goal)),
    );
    expect(answer.status).toBe(204);
    expect((await editor.get<Issue>(issuePath(issue))).body).toMatchObject({
      goalId: null,
      version: issue.version + 2,
    });
    const { body: activity } = await editor.get<{ data: unknown }[]>(`${issuePath(issue)}/activity`);
    expect(activity.at(-1)?.data).toEqual({ goalId: { old: goal.id, new: null } });
  });

  it('makes a concurrent request that uses it return 400', async () => {
    const issue = await anIssue(editor, project);
    for (const write of [
      (goalId: string) => editor.put(issuePath(issue), { goalId }),
      (goalId: string) => editor.post(`/api/projects/${project.id}/issues`, { title: 'x', goalId }),
    ]) {
      const { id } = await aGoal(editor, project);
      const answer = whileUncommitted(service, 'DELETE FROM goals WHERE id = $1', [id], () => write(id));
      expect(await codeOf(answer)).toBe('400 validation_failed');
    }
  });

  it('while issues are created with it leaves no issue with it', async () => {
    const goal = await aGoal(editor, project);
    const fields = { title: 'x', goalId: goal.id };
    const making = Array.from({ length: 15 }, () =>
      editor.post(`/api/projects/${project.id}/issues`, fields),
    );
    const [deleted, ...answers] = await Promise.all([editor.delete(pathOf(goal)), ...making]);
    expect(deleted?.status).toBe(204);
    for (const { status } of answers) expect([201, 400]).toContain(status);
    expect((await editor.get<Issue[]>(`/api/projects/issues?goalId=${goal.id}`)).body).toEqual([]);
  });

  it('in two concurrent requests succeeds once', async () => {
    const goal = await aGoal(editor, project);
    const answers = await Promise.all([editor.delete(pathOf(goal)), editor.delete(pathOf(goal))]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404]);
  });
});
