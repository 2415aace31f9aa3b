import { describe, expect, it } from '@jest/globals';
import { asAgent, withKey } from '../../support/callers.js';
import { notFound, refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';

const service = useService();
const unknown = '01a1fc2c-4690-71ec-b875-d2220cb6115f';

describe('a key of an agent', () => {
  it('is created, is listed without its secret, and is revoked at once', async () => {
    const agent = await asAgent(service);
    const path = `/api/agents/${agent.id}/keys`;
    const made = await service.owner.post<{ id: string; key: string }>(path, { name: 'second' });
    expect(made).toMatchObject({
      status: 201,
      headers: { location: `${path}/${made.body.id}` },
      body: { expiresAt: null, role: null },
    });
    expect((await withKey(service, made.body.key).get('/api/auth/me')).body.id).toBe(agent.id);
    const listed = await service.owner.get<{ name: string }[]>(path);
    expect(listed.body.map(({ name }) => name)).toEqual(['first key', 'second']);
    expect(listed.text).not.toContain(made.body.key.slice(12));
    expect((await service.owner.delete(`${path}/${made.body.id}`)).status).toBe(204);
    expect((await withKey(service, made.body.key).get('/api/auth/me')).status).toBe(401);
    expect((await agent.get('/api/auth/me')).status).toBe(200);
  });

  it('cannot be narrowed to a role', async () => {
    const agent = await asAgent(service);
    const answer = await service.owner.post(`/api/agents/${agent.id}/keys`, { name: 'x', role: 'Viewer' });
    expect(answer).toMatchObject(refused(400, 'validation_failed', 'role'));
  });

  it('may have an expiry date, which is returned', async () => {
    const agent = await asAgent(service);
    const expiresAt = '2099-01-01T00:00:00.000Z';
    const { body } = await service.owner.post<{ key: string }>(`/api/agents/${agent.id}/keys`, {
      name: 'x',
      expiresAt,
    });
    expect((await withKey(service, body.key).get('/api/auth/me')).body.keyExpiresAt).toBe(expiresAt);
  });

  it('is not found under another agent', async () => {
    const [agent, other] = [await asAgent(service), await asAgent(service)];
    const [{ id }] = (await service.owner.get<[{ id: string }]>(`/api/agents/${agent.id}/keys`)).body;
    expect(await service.owner.delete(`/api/agents/${other.id}/keys/${id}`)).toMatchObject(notFound);
    expect(await service.owner.get(`/api/agents/${unknown}/keys`)).toMatchObject(notFound);
    expect(await service.owner.post('/api/agents/x/keys', { name: 'x' })).toMatchObject(notFound);
  });
});
