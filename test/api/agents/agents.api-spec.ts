import { describe, expect, it } from '@jest/globals';
import type { SeenAgentResponse } from '../../../src/agents/agent.dto.js';
import { anAgent, anIssue, aProject, type NewAgent } from '../../support/builders.js';
import { anonymous, asAdmin, asAgent, asEditor, asViewer } from '../../support/callers.js';
import { NO_USAGE } from '../../support/no-usage.js';
import { notFound, refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import type { Wire } from '../../support/wire.js';

type Agent = Wire<SeenAgentResponse>;

const service = useService();
const unknown = '01a1fc2c-4690-71ec-b875-d2220cb6115f';

describe('an agent', () => {
  it('is created with the given fields and a first key, and is read without the key', async () => {
    const admin = await asAdmin(service);
    const answer = await admin.post<NewAgent>('/api/agents', {
      name: ' Writer ',
      description: 'Writes.',
      maxConcurrentIssues: 3,
      toolsRequireLease: true,
    });
    const { key, connect, ...agent } = answer.body;
    expect(answer).toMatchObject({ status: 201, headers: { location: `/api/agents/${agent.id}` } });
    expect(agent).toEqual({
      id: expect.any(String),
      name: 'Writer',
      description: 'Writes.',
      maxConcurrentIssues: 3,
      toolsRequireLease: true,
      disabled: false,
      lastHeartbeatAt: null,
      activeIssues: 0,
      failing: null,
      usage: NO_USAGE,
      why: { reason: 'agent_never_seen', sentence: expect.any(String) },
      createdAt: expect.any(String),
      updatedAt: agent.createdAt,
    });
    expect(connect).toEqual({ url: `${service.baseUrl}/mcp`, headers: { Authorization: `Bearer ${key}` } });
    const read = await admin.get<Agent>(`/api/agents/${agent.id}`);
    expect(read.body).toEqual(agent);
    expect((await admin.get<Agent[]>('/api/agents')).body).toContainEqual(agent);
  });

  it('says why it gets no work: its budget, a halt of all agents', async () => {
    const [viewer, agent] = [await asViewer(service), await asAgent(service)];
    const issue = await anIssue(service.owner, await aProject(service.owner), { assignedAgentId: agent.id });
    const why = async () => (await viewer.get<Agent>(`/api/agents/${agent.id}`)).body.why.reason;
    await agent.post('/api/agents/me/heartbeat', {});
    expect(await why()).toBe('running');
    await service.owner.put(`/api/agents/${agent.id}/budget`, { turns: 1, period: 'day' });
    for (const _ of [1, 2]) await agent.post('/api/agents/me/turns', { issueId: issue.id });
    expect(await why()).toBe('budget');
    await service.owner.put('/api/agents/halt', { halted: true });
    expect(await why()).toBe('halted');
    await service.owner.put('/api/agents/halt', { halted: false });
    await service.owner.put(`/api/agents/${agent.id}/budget`, { turns: 9, period: 'day' });
    expect(await why()).toBe('ready');
  });

  it('takes ten issues at a time by default', async () => {
    expect(await anAgent(service.owner)).toMatchObject({ maxConcurrentIssues: 10, description: '' });
  });

  it('may have the same name as another one', async () => {
    const { id } = await anAgent(service.owner, { name: 'Twin' });
    expect((await anAgent(service.owner, { name: 'Twin' })).id).not.toBe(id);
  });

  it('keeps the fields that a change omits', async () => {
    const { id, name } = await anAgent(service.owner);
    const changed = await service.owner.put<Agent>(`/api/agents/${id}`, {
      description: 'new',
      maxConcurrentIssues: 1000,
    });
    expect(changed.body).toMatchObject({
      id,
      name,
      description: 'new',
      maxConcurrentIssues: 1000,
      disabled: false,
    });
    expect((await service.owner.get(`/api/agents/${id}`)).body).toEqual(changed.body);
  });

  it.each([
    ['name', ''],
    ['name', 'x'.repeat(201)],
    ['name', null],
    ['description', null],
    ['maxConcurrentIssues', 0],
    ['maxConcurrentIssues', 1001],
    ['maxConcurrentIssues', 1.5],
    ['maxConcurrentIssues', '5'],
    ['maxConcurrentIssues', null],
  ])('is rejected with %s: %j', async (field, value) => {
    const badly = refused(400, 'validation_failed', field);
    expect(await service.owner.post('/api/agents', { name: 'x', [field]: value })).toMatchObject(badly);
    const { id } = await anAgent(service.owner);
    expect(await service.owner.put(`/api/agents/${id}`, { [field]: value })).toMatchObject(badly);
  });

  it('returns 404 for an unknown or malformed id', async () => {
    for (const id of [unknown, 'me', 'x', 'HALT']) {
      expect(await service.owner.get(`/api/agents/${id}`)).toMatchObject(notFound);
      expect(await service.owner.put(`/api/agents/${id}`, {})).toMatchObject(notFound);
      expect(await service.owner.delete(`/api/agents/${id}`)).toMatchObject(notFound);
    }
  });

  it('can read itself by its id and as me, and no other agent', async () => {
    const [agent, other] = [await asAgent(service), await asAgent(service)];
    const itself = await agent.get('/api/agents/me');
    expect(itself.body.id).toBe(agent.id);
    expect((await agent.get(`/api/agents/${agent.id}`)).body).toEqual(itself.body);
    for (const path of [`/api/agents/${other.id}`, `/api/agents/${unknown}`, '/api/agents'])
      expect(await agent.get(path)).toMatchObject(refused(403, 'forbidden'));
  });
});

describe('a retired agent', () => {
  it('returns 404 and loses its keys at once', async () => {
    const agent = await asAgent(service);
    expect((await service.owner.delete(`/api/agents/${agent.id}`)).status).toBe(204);
    expect(await agent.get('/api/auth/me')).toMatchObject(refused(401, 'unauthenticated'));
    expect(await service.owner.get(`/api/agents/${agent.id}`)).toMatchObject(notFound);
    expect(await service.owner.delete(`/api/agents/${agent.id}`)).toMatchObject(notFound);
    expect((await service.owner.get<Agent[]>('/api/agents')).body.map(({ id }) => id)).not.toContain(
      agent.id,
    );
  });

  it('keeps its name in the records, and its issues until they are reassigned', async () => {
    const agent = await asAgent(service);
    const issue = await anIssue(service.owner, await aProject(service.owner), { assignedAgentId: agent.id });
    await service.owner.delete(`/api/agents/${agent.id}`);
    const { body } = await service.owner.get(`/api/projects/issues/${issue.id}`);
    expect(body).toMatchObject({
      assignedAgentId: agent.id,
      assignee: { type: 'agent', id: agent.id, name: agent.name },
    });
  });

  it('has no memberships and no grants', async () => {
    const agent = await asAgent(service);
    const project = await aProject(service.owner, { visibility: 'members' });
    await service.owner.put(`/api/projects/${project.id}/members`, {
      entries: [{ agentId: agent.id, role: 'Editor' }],
    });
    await service.owner.delete(`/api/agents/${agent.id}`);
    expect(await service.sql('SELECT 1 FROM project_members WHERE agent_id = $1', [agent.id])).toEqual([]);
  });
});

describe('the register of agents', () => {
  it('can be read by every user and changed by Admins', async () => {
    const { id } = await anAgent(service.owner);
    for (const caller of [await asViewer(service), await asEditor(service)]) {
      expect((await caller.get('/api/agents')).status).toBe(200);
      expect((await caller.get(`/api/agents/${id}`)).status).toBe(200);
      for (const [method, path] of [
        ['POST', '/api/agents'],
        ['PUT', `/api/agents/${id}`],
        ['PUT', `/api/agents/${unknown}`],
        ['DELETE', `/api/agents/${id}`],
        ['GET', `/api/agents/${id}/keys`],
        ['POST', `/api/agents/${id}/keys`],
        ['DELETE', `/api/agents/${id}/keys/x`],
      ] as const)
        expect(await caller.request(method, path)).toMatchObject(refused(403, 'forbidden'));
    }
    for (const path of ['/api/agents', `/api/agents/${id}`, '/api/agents/halt', `/api/agents/${id}/keys`])
      expect(await anonymous(service).get(path)).toMatchObject(refused(401, 'unauthenticated'));
  });

  it('is closed to agents, except for their own entry', async () => {
    const agent = await asAgent(service);
    for (const [method, path] of [
      ['POST', '/api/agents'],
      ['PUT', '/api/agents/me'],
      ['PUT', `/api/agents/${agent.id}`],
      ['DELETE', '/api/agents/me'],
      ['GET', '/api/agents/me/keys'],
      ['POST', '/api/agents/me/keys'],
      ['GET', '/api/agents/halt'],
      ['PUT', '/api/agents/halt'],
      ['GET', '/api/users'],
      ['GET', '/api/auth/keys'],
      ['POST', '/api/auth/keys'],
    ] as const)
      expect(await agent.request(method, path)).toMatchObject(refused(403, 'forbidden'));
  });
});
