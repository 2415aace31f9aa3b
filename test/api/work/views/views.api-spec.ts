import { beforeAll, describe, expect, it } from '@jest/globals';
import { aProject, aView, type Project, type View } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAdmin, asEditor, asUser, asViewer } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import { expectInvalidPaths, expectRefused } from '../issues/issue-requests.js';
import { nextOf } from '../issues/list-requests.js';

const service = useService();
let editor: Caller;
let viewer: Caller;
let admin: Caller;
let project: Project;
beforeAll(async () => {
  [editor, viewer, admin] = await Promise.all([asEditor(service), asViewer(service), asAdmin(service)]);
  project = await aProject(editor);
});

const viewsOf = ({ id }: { id: string }) => `/api/projects/${id}/views`;
const pathOf = ({ id }: { id: string }) => `/api/projects/views/${id}`;
const namesFor = async (caller: Caller, place = project) =>
  (await caller.get<View[]>(viewsOf(place))).body.map(({ name }) => name);

describe('keeping a view', () => {
  it('returns it with its owner, and keeps the query as it came', async () => {
    const query = 'label=bug%2Cui&sort=-priority&q=%C3%BC';
    const { status, body, headers } = await viewer.post<View>(viewsOf({ id: project.key }), {
      name: '  My bugs ',
      query,
    });
    expect(status).toBe(201);
    expect(headers['location']).toBe(pathOf(body));
    expect(body).toMatchObject({
      ...{ projectId: project.id, ownerId: viewer.id, name: 'My bugs', query, shared: false },
    });
    expect((await viewer.get<View[]>(viewsOf(project))).body).toEqual([body]);
    expect(await service.sql('SELECT 1 FROM journal WHERE subject_id = $1', [body.id])).toEqual([]);
  });

  it.each([
    ['name', { query: '' }],
    ['name', { name: ' ', query: '' }],
    ['name', { name: 'x'.repeat(101), query: '' }],
    ['name', { name: 'two\nlines', query: '' }],
    ['query', { name: 'x' }],
    ['query', { name: 'x', query: 'x'.repeat(2_001) }],
    ['shared', { name: 'x', query: '', shared: 'yes' }],
    ['ownerId', { name: 'x', query: '', ownerId: '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff' }],
  ])('with an invalid %s returns 400 and names it (%#)', async (path, body) => {
    await expectInvalidPaths(editor.post(viewsOf(project), body), path);
  });

  it('under a name of one’s own again returns 409, and a name of another person does not matter', async () => {
    const place = await aProject(editor);
    await aView(editor, place, { name: 'Mine' });
    await expectRefused(editor.post(viewsOf(place), { name: 'MINE', query: '' }), 409, 'name_taken');
    await aView(viewer, place, { name: 'mine' });
    await aView(editor, place, { name: 'mine', shared: true });
    await expectRefused(
      admin.post(viewsOf(place), { name: 'Mine', query: '', shared: true }),
      409,
      'name_taken',
    );
    expect((await namesFor(editor, place)).toSorted()).toEqual(['Mine', 'mine']);
  });

  it('returns 409 above a hundred of one person and project, also where several come at once', async () => {
    const place = await aProject(editor);
    await service.sql(
      `INSERT INTO views (id, project_id, owner_id, name, query, shared)
       SELECT gen_random_uuid(), $1, $2, 'View ' || n, '', n % 2 = 0 FROM generate_series(1, 98) AS n`,
      [place.id, editor.id],
    );
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => editor.post(viewsOf(place), { name, query: '' })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409]);
    await expectRefused(editor.post(viewsOf(place), { name: 'e', query: '' }), 409, 'view_limit');
    expect((await viewer.post(viewsOf(place), { name: 'e', query: '' })).status).toBe(201);
    expect((await editor.post(viewsOf(await aProject(editor)), { name: 'e', query: '' })).status).toBe(201);
  });

  it('comes by name, page by page', async () => {
    const place = await aProject(editor);
    for (const name of ['delta', 'Alpha', 'charlie', 'Bravo']) await aView(editor, place, { name });
    const first = await editor.get<View[]>(`${viewsOf(place)}?limit=3`);
    expect(first.body.map(({ name }) => name)).toEqual(['Alpha', 'Bravo', 'charlie']);
    expect((await editor.get<View[]>(nextOf(first)!)).body.map(({ name }) => name)).toEqual(['delta']);
  });
});

describe('a view that is not shared', () => {
  it('is seen, changed and deleted by its owner alone, and not by an Admin', async () => {
    const view = await aView(viewer, project, { name: 'Only mine' });
    for (const other of [editor, admin, service.owner]) {
      expect(await namesFor(other)).not.toContain('Only mine');
      await expectRefused(other.put(pathOf(view), { name: 'x' }), 404, 'not_found');
      await expectRefused(other.delete(pathOf(view)), 404, 'not_found');
    }
    const changed = await viewer.put<View>(pathOf(view), { query: 'sort=status' });
    expect(changed.body).toMatchObject({ name: 'Only mine', query: 'sort=status', shared: false });
    expect((await viewer.delete(pathOf(view))).status).toBe(204);
    await expectRefused(viewer.put(pathOf(view), { name: 'x' }), 404, 'not_found');
    expect(await namesFor(viewer)).not.toContain('Only mine');
  });

  it('is shared by an Editor only', async () => {
    const body = { name: 'For all', query: '', shared: true };
    await expectRefused(viewer.post(viewsOf(project), body), 403, 'forbidden');
    const own = await aView(viewer, project, { name: 'For all' });
    await expectRefused(viewer.put(pathOf(own), { shared: true }), 403, 'forbidden');
    expect((await viewer.put<View>(pathOf(own), { shared: false })).body.shared).toBe(false);
  });
});

describe('a shared view', () => {
  it('is seen by all who see the project, and changed by its Editors', async () => {
    const view = await aView(editor, project, { name: 'Shared', shared: true });
    for (const caller of [viewer, admin]) expect(await namesFor(caller)).toContain('Shared');
    await expectRefused(viewer.put(pathOf(view), { name: 'x' }), 403, 'forbidden');
    await expectRefused(viewer.delete(pathOf(view)), 403, 'forbidden');
    const other = await asEditor(service);
    expect((await other.put<View>(pathOf(view), { name: 'Renamed' })).body).toMatchObject({
      ...{ name: 'Renamed', shared: true, ownerId: editor.id },
    });
    expect((await other.delete(pathOf(view))).status).toBe(204);
    expect(await namesFor(editor)).not.toContain('Renamed');
  });

  it('becomes its owner’s own when it is shared no more', async () => {
    const view = await aView(editor, project, { name: 'Taken back', shared: true });
    expect((await admin.put<View>(pathOf(view), { shared: false })).body.ownerId).toBe(editor.id);
    expect(await namesFor(admin)).not.toContain('Taken back');
    expect(await namesFor(editor)).toContain('Taken back');
  });

  it('stays its owner’s own when another Editor changes it at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const view = await aView(editor, project, { shared: true });
      const [own, other] = await Promise.all([
        editor.put(pathOf(view), { shared: false, query: 'status=Closed' }),
        round % 2 === 0 ? admin.put(pathOf(view), { name: `Renamed ${round}` }) : admin.delete(pathOf(view)),
      ]);
      expect([200, 204, 404]).toContain(other.status);
      if (own.status === 404) continue;
      const { body } = await editor.get<View[]>(viewsOf(project));
      expect(body.find(({ id }) => id === view.id)).toMatchObject({ shared: false, query: 'status=Closed' });
    }
  });

  it('returns 409 when its new name, or sharing it, meets another one', async () => {
    const place = await aProject(editor);
    await aView(editor, place, { name: 'One', shared: true });
    const two = await aView(editor, place, { name: 'Two', shared: true });
    await expectRefused(editor.put(pathOf(two), { name: 'ONE' }), 409, 'name_taken');
    const own = await aView(admin, place, { name: 'one' });
    await expectRefused(admin.put(pathOf(own), { shared: true }), 409, 'name_taken');
    expect((await editor.put<View>(pathOf(two), { name: 'TWO' })).body.name).toBe('TWO');
  });

  it('of a project that the caller does not see is not found', async () => {
    const closed = await aProject(service.owner, { visibility: 'members' });
    const view = await aView(service.owner, closed, { shared: true });
    const outsider = await asUser(service, 'Editor');
    await expectRefused(outsider.get(viewsOf(closed)), 404, 'not_found');
    await expectRefused(outsider.put(pathOf(view), { name: 'x' }), 404, 'not_found');
  });
});

it('are deleted with their project', async () => {
  const place = await aProject(editor);
  const view = await aView(viewer, place);
  expect((await admin.delete(`/api/projects/${place.id}?confirm=true`)).status).toBe(204);
  expect(await service.sql('SELECT 1 FROM views WHERE id = $1', [view.id])).toEqual([]);
});
