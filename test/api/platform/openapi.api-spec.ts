import { describe, expect, it } from '@jest/globals';
import { aProject, anAgent } from '../../support/builders.js';
import { anonymous, asAdmin, asAgent, asEditor, asOwner, asViewer } from '../../support/callers.js';
import { useService } from '../../support/service.js';

const service = useService();

describe('smoke', () => {
  it('works', async () => {
    const callers = [await asAdmin(service), await asAgent(service), await asEditor(service), await asOwner(service), await asViewer(service)];
    for (const caller of callers) expect((await caller.get('/api/auth/me')).status).toBe(200);
    expect((await anonymous(service).get('/api/auth/me')).status).toBe(401);
    const project = await aProject(service.owner);
    await anAgent(service.owner);
    expect((await service.owner.get(`/api/projects/${project.id}`)).body).toEqual(project);
    expect((await service.owner.delete(`/api/projects/${project.id}?confirm=true`)).status).toBe(204);
    const { owner } = await service.second();
    expect((await owner.get('/api/users')).body.length).toBe(5);
    expect((await service.sql('SELECT * FROM users')).length).toBe(5);
  });
});
