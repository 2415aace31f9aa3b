import { beforeAll, describe, expect, it } from '@jest/globals';
import { aProject, someKey } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { anonymous, asAdmin, asAgent, asEditor, asUser, asViewer } from '../../../support/callers.js';
import { notFound, refused } from '../../../support/refusal.js';
import { useService } from '../../../support/service.js';

const service = useService();
let viewer: Caller;
let editor: Caller;
let admin: Caller;
let agent: Caller;
beforeAll(async () => {
  [viewer, editor, admin, agent] = [
    await asViewer(service),
    await asEditor(service),
    await asAdmin(service),
    await asAgent(service),
  ];
});

describe('the roles of a project', () => {
  it('let a Viewer only read', async () => {
    const { id } = await aProject(editor);
    expect((await viewer.get('/api/projects')).status).toBe(200);
    expect((await viewer.get(`/api/projects/${id}`)).status).toBe(200);
    for (const [method, path, body] of [
      ['POST', '/api/projects', { key: someKey(), name: 'x' }],
      ['PUT', `/api/projects/${id}`, { name: 'x' }],
      ['DELETE', `/api/projects/${id}?confirm=true`, {}],
      ['PUT', `/api/projects/${id}/members`, { entries: [] }],
    ] as const)
      expect(await viewer.request(method, path, { body })).toMatchObject(refused(403, 'forbidden'));
  });

  it('let an Editor change it, and only an Admin delete it', async () => {
    const { id } = await aProject(editor);
    expect(await editor.delete(`/api/projects/${id}?confirm=true`)).toMatchObject(refused(403, 'forbidden'));
    expect(await editor.put(`/api/projects/${id}/members`, { entries: [] })).toMatchObject(
      refused(403, 'forbidden'),
    );
    expect((await admin.delete(`/api/projects/${id}?confirm=true`)).status).toBe(204);
  });

  it('let an agent only read', async () => {
    const { id } = await aProject(editor);
    expect((await agent.get(`/api/projects/${id}`)).status).toBe(200);
    expect((await agent.get('/api/projects')).status).toBe(200);
    for (const [method, path] of [
      ['POST', '/api/projects'],
      ['PUT', `/api/projects/${id}`],
      ['DELETE', `/api/projects/${id}?confirm=true`],
      ['PUT', `/api/projects/${id}/members`],
    ] as const)
      expect(await agent.request(method, path, { body: {} })).toMatchObject(refused(403, 'forbidden'));
  });

  it('require a credential: without one every request returns 401', async () => {
    const { id } = await aProject(editor);
    for (const path of [
      '/api/projects',
      `/api/projects/${id}`,
      `/api/projects/${id}/members`,
      '/api/projects/unknown',
    ])
      expect(await anonymous(service).get(path)).toMatchObject(refused(401, 'unauthenticated'));
  });

  it('are limited by the role of the key', async () => {
    const narrow = await asUser(service, 'Admin', { role: 'Viewer' });
    const { id } = await aProject(editor);
    expect((await narrow.get(`/api/projects/${id}`)).status).toBe(200);
    expect(await narrow.put(`/api/projects/${id}`, { name: 'x' })).toMatchObject(refused(403, 'forbidden'));
  });

  it('decide an unknown id: 404 for a caller who could act on some project, 403 for one who never could', async () => {
    const path = '/api/projects/01a1fc2c-4690-71ec-b875-d2220cb6115f';
    expect(await viewer.put(path, { name: 'x' })).toMatchObject(refused(403, 'forbidden'));
    expect(await editor.put(path, { name: 'x' })).toMatchObject(notFound);
    expect(await editor.delete(`${path}?confirm=true`)).toMatchObject(refused(403, 'forbidden'));
    expect(await admin.delete(`${path}?confirm=true`)).toMatchObject(notFound);
    expect(await admin.delete(path)).toMatchObject(notFound);
  });
});
