import { beforeAll, describe, expect, it } from '@jest/globals';
import { aLink, aProject, anIssue, someKey, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAdmin, asEditor, asViewer } from '../../../support/callers.js';
import { notFound, refused } from '../../../support/refusal.js';
import { NO_USAGE } from '../../../support/no-usage.js';
import { useService } from '../../../support/service.js';

const service = useService();
let viewer: Caller;
let editor: Caller;
let admin: Caller;
beforeAll(async () => {
  [viewer, editor, admin] = [await asViewer(service), await asEditor(service), await asAdmin(service)];
});

describe('a project', () => {
  it('is created with the given fields, and is read by id and by key', async () => {
    const given = { key: someKey(), name: 'Documentation', description: 'All of it.', visibility: 'open' };
    const answer = await editor.post<Project>('/api/projects', given);
    expect(answer).toMatchObject({ status: 201, headers: { location: `/api/projects/${answer.body.id}` } });
    expect(answer.body).toEqual({
      ...given,
      agentsMayAssign: 'any',
      id: expect.any(String),
      usage: NO_USAGE,
      createdAt: expect.any(String),
      updatedAt: answer.body.createdAt,
    });
    for (const reference of [answer.body.id, given.key])
      expect((await viewer.get(`/api/projects/${reference}`)).body).toEqual(answer.body);
  });

  it('is open and has an empty description by default', async () => {
    expect(await aProject(editor)).toMatchObject({ description: '', visibility: 'open' });
  });

  it.each(['A', 'a1', '1A', 'A-B', 'ABCDEFGHIJK', 'ÄB', ' AB', ''])(
    'has a key of 2 to 10 capitals and digits that begins with a letter: %j is rejected',
    async (key) => {
      expect(await editor.post('/api/projects', { key, name: 'x' })).toMatchObject(
        refused(400, 'validation_failed', 'key'),
      );
    },
  );

  it('has a unique key, also among projects that the caller cannot see', async () => {
    const { key } = await aProject(admin, { visibility: 'members' });
    expect(await editor.post('/api/projects', { key, name: 'x' })).toMatchObject(refused(409, 'name_taken'));
  });

  it.each(['ISSUES', 'GOALS', 'LINKS', 'COMMENTS'])(
    'may have the key %s, although it is a word of the API',
    async (key) => {
      const project = await aProject(editor, { key });
      const issue = await anIssue(editor, { id: key });
      expect((await editor.get(`/api/projects/${key}`)).body).toEqual(project);
      expect(
        (await editor.get<{ id: string }[]>(`/api/projects/${key}/issues`)).body.map(({ id }) => id),
      ).toEqual([issue.id]);
      expect((await editor.get(`/api/projects/${key}/members`)).status).toBe(200);
      expect((await editor.get(`/api/projects/${key}/goals`)).status).toBe(200);
    },
  );

  it('keeps the fields that a change omits', async () => {
    const { id, ...before } = await aProject(editor, { description: 'old' });
    const changed = await editor.put<Project>(`/api/projects/${id}`, { name: 'New name' });
    expect(changed.body).toEqual({ ...before, id, name: 'New name', updatedAt: expect.any(String) });
    expect((await viewer.get(`/api/projects/${id}`)).body).toEqual(changed.body);
  });

  it('keeps its key: a change that contains one is rejected', async () => {
    const { id, key } = await aProject(editor);
    expect(await editor.put(`/api/projects/${id}`, { key })).toMatchObject(
      refused(400, 'validation_failed', 'key'),
    );
  });

  it.each([
    { name: null },
    { description: null },
    { visibility: null },
    { visibility: 'secret' },
    { name: ' ' },
  ])('rejects the change %j', async (change) => {
    const { id } = await aProject(editor);
    expect(await editor.put(`/api/projects/${id}`, change)).toMatchObject(
      refused(400, 'validation_failed', Object.keys(change)[0]!),
    );
  });
});

describe('deleting a project', () => {
  it('requires confirm=true', async () => {
    const { id } = await aProject(editor);
    for (const query of ['', '?confirm=false']) {
      const answer = await admin.delete(`/api/projects/${id}${query}`);
      expect(answer).toMatchObject(refused(400, 'confirmation_required'));
      expect(answer.body.detail).toContain('confirm=true');
    }
    expect((await admin.delete(`/api/projects/${id}?confirm=true`)).status).toBe(204);
    expect(await admin.get(`/api/projects/${id}`)).toMatchObject(notFound);
    expect(await admin.delete(`/api/projects/${id}?confirm=true`)).toMatchObject(notFound);
  });

  it('is rejected while it has issues', async () => {
    const project = await aProject(editor);
    const issue = await anIssue(editor, project);
    expect(await admin.delete(`/api/projects/${project.id}?confirm=true`)).toMatchObject(
      refused(409, 'not_empty'),
    );
    await editor.delete(`/api/projects/issues/${issue.id}?confirm=true`);
    expect((await admin.delete(`/api/projects/${project.id}?confirm=true`)).status).toBe(204);
  });
});

describe('a project that becomes members-only', () => {
  const close = (id: string, caller = editor) => caller.put(`/api/projects/${id}`, { visibility: 'members' });

  it('stays open while its issues are linked to issues of other projects', async () => {
    const [here, there] = [await aProject(editor), await aProject(editor)];
    const link = await aLink(editor, await anIssue(editor, here), await anIssue(editor, there));
    for (const { id } of [here, there])
      expect(await close(id)).toMatchObject(refused(409, 'cross_project_link'));
    await editor.delete(`/api/projects/links/${link.id}`);
    expect((await close(here.id)).body.visibility).toBe('members');
  });

  it('may have links between its own issues', async () => {
    const project = await aProject(editor);
    await aLink(editor, await anIssue(editor, project), await anIssue(editor, project));
    expect((await close(project.id)).status).toBe(200);
  });

  it('makes the caller a member, and is hidden from others at once', async () => {
    const { id } = await aProject(editor);
    await close(id);
    expect((await editor.get(`/api/projects/${id}`)).status).toBe(200);
    expect(await viewer.get(`/api/projects/${id}`)).toMatchObject(notFound);
  });
});
