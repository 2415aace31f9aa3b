import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAgent, anIssue, aProject, createdBy, someName } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import {
  anonymous,
  aPerson,
  asAdmin,
  asAgent,
  asEditor,
  asSession,
  asViewer,
  PASSWORD,
  signedIn,
} from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import type { Loose } from '../../support/wire.js';

const service = useService();
let admin: Caller;
beforeAll(async () => {
  admin = await asAdmin(service);
});

const audit = async (query: string) => {
  const answer = await admin.get<Loose[]>(`/api/audit?${query}`);
  expect(answer.status).toBe(200);
  return answer.body;
};
const types = (rows: Loose[]) => rows.map(({ type }) => String(type)).toSorted();

describe('the audit', () => {
  it('returns who did what to which object, from where, in which request', async () => {
    const made = await admin.post(
      '/api/projects',
      { key: 'AUDIT', name: 'Audited' },
      { headers: { 'x-request-id': 'audit-1' } },
    );
    expect(await audit(`subjectId=${made.body['id']}`)).toEqual([
      {
        id: expect.any(String),
        type: 'project.created',
        at: expect.stringMatching(/Z$/),
        actor: { type: 'user', id: admin.id, name: admin.name },
        subject: { type: 'project', id: made.body['id'], name: null },
        projectId: made.body['id'],
        issueId: null,
        issueKey: null,
        data: expect.any(Object),
        requestId: 'audit-1',
        origin: '127.0.0.1',
      },
    ]);
  });

  it('filters by type, actor, project, issue and time', async () => {
    const editor = await asEditor(service);
    const project = await aProject(editor);
    const issue = await anIssue(editor, project);
    await editor.post(`/api/projects/issues/${issue.id}/comments`, { content: 'x' });
    expect(types(await audit(`projectId=${project.id}`))).toEqual([
      'comment.created',
      'issue.created',
      'project.created',
    ]);
    expect(types(await audit(`projectId=${project.id}&type=issue.*,comment.created`))).toEqual([
      'comment.created',
      'issue.created',
    ]);
    expect(types(await audit(`issueId=${issue.id}&type=issue.created`))).toEqual(['issue.created']);
    expect(await audit(`issueId=${issue.key}&type=issue.created`)).toMatchObject([
      { issueId: issue.id, issueKey: issue.key },
    ]);
    expect(await audit(`actorId=${editor.id}`)).toHaveLength(3);
    const [newest] = await audit(`actorId=${editor.id}&limit=1`);
    expect(newest?.['type']).toBe('comment.created');
    const at = encodeURIComponent(String(newest?.['at']));
    expect(await audit(`actorId=${editor.id}&to=${at}&type=comment.created`)).toEqual([]);
    expect(await audit(`actorId=${editor.id}&from=${at}&type=comment.created`)).toEqual([newest]);
  });

  it('returns pages, newest first, with each row once', async () => {
    const editor = await asEditor(service);
    for (let at = 0; at < 5; at++) await aProject(editor);
    const whole = await audit(`actorId=${editor.id}`);
    const found: Loose[] = [];
    for (let next: string | undefined = `/api/audit?actorId=${editor.id}&limit=2&count=true`; next;) {
      const page: { body: Loose[]; headers: Record<string, string> } = await admin.get<Loose[]>(next);
      expect(page.headers['x-total-count']).toBe('5');
      found.push(...page.body);
      next = /<(.*)>; rel="next"/.exec(page.headers['link'] ?? '')?.[1];
    }
    expect(found).toEqual(whole);
    expect(whole.map(({ at }) => String(at))).toEqual(
      whole
        .map(({ at }) => String(at))
        .toSorted()
        .toReversed(),
    );
  });

  it.each([
    ['type=nothing.happened', 'type'],
    ['type=login.*,login.failed', 'type'],
    ['actorId=me', 'actorId'],
    ['projectId=AUDIT', 'projectId'],
    ['from=yesterday', 'from'],
    ['to=2026-11-21', 'to'],
    ['cursor=x', 'cursor'],
    ['subject=x', 'subject'],
  ])('rejects %s on its path', async (query, path) => {
    expect(await admin.get(`/api/audit?${query}`)).toMatchObject(refused(400, 'validation_failed', path));
  });

  it('admits Admins only', async () => {
    for (const caller of [await asViewer(service), await asEditor(service), await asAgent(service)])
      expect(await caller.get('/api/audit')).toMatchObject(refused(403, 'forbidden'));
    expect(await anonymous(service).get('/api/audit')).toMatchObject(refused(401, 'unauthenticated'));
    expect((await (await asSession(service, 'Admin')).get('/api/audit')).status).toBe(200);
  });
});

describe('the journal', () => {
  it('records each successful login, each failed login and each logout', async () => {
    const person = await aPerson(service, 'Viewer');
    const session = await signedIn(service, person);
    await session.post('/api/auth/logout');
    await anonymous(service).post('/api/auth/login', { email: person.email, password: 'wrong' });
    const rows = await audit(`subjectId=${person.id}&type=login.*`);
    expect(rows.map(({ type }) => type)).toEqual(['login.failed', 'login.ended', 'login.succeeded']);
    expect(rows.map(({ actor }) => actor?.['type'])).toEqual(['system', 'user', 'user']);
    expect(JSON.stringify(rows)).not.toContain(PASSWORD);
  });

  it('records each change of a user, a key and a role', async () => {
    const person = await aPerson(service, 'Viewer');
    const key = await service.owner.post(`/api/users/${person.id}/keys`, { name: 'k' });
    await service.owner.put(`/api/users/${person.id}`, { role: 'Editor' });
    await service.owner.put(`/api/users/${person.id}`, { password: 'another good phrase' });
    await service.owner.delete(`/api/users/${person.id}/keys/${key.body['id']}`);
    await service.owner.delete(`/api/users/${person.id}`);
    const rows = await audit(`subjectId=${person.id}`);
    expect(types(rows)).toEqual(['user.created', 'user.disabled', 'user.password_changed', 'user.updated']);
    expect(rows.find(({ type }) => String(type) === 'user.updated')?.['data']).toEqual({
      role: { old: 'Viewer', new: 'Editor' },
    });
    expect(types(await audit(`subjectId=${key.body['id']}`))).toEqual(['key.created', 'key.deleted']);
    const agent = await anAgent(service.owner);
    await service.owner.delete(`/api/agents/${agent.id}`);
    expect(types(await audit(`subjectId=${agent.id}`))).toEqual(['agent.created', 'agent.deleted']);
  });

  it('has the present name of a server, until it is removed', async () => {
    const server = { catalogId: 'microsoft-learn', name: someName('Docs') };
    const { id } = await createdBy<{ id: string }>(service.owner, '/api/mcp/installed', server);
    const named = async () => (await audit(`subjectId=${id}`)).map(({ subject }) => subject);
    expect(await named()).toEqual([{ type: 'server', id, name: server.name }]);
    await service.owner.delete(`/api/mcp/installed/${id}`);
    expect(await named()).toEqual([1, 2].map(() => ({ type: 'server', id, name: null })));
  });

  it('records a refusal for lack of permission, whichever rule refused, with the caller', async () => {
    const viewer = await asViewer(service);
    const project = await aProject(service.owner);
    await viewer.get('/api/users');
    await viewer.post(`/api/projects/${project.id}/issues`, { title: 'x' });
    await (await asAgent(service)).get('/api/audit');
    const rows = await audit(`actorId=${viewer.id}&type=access.refused`);
    expect(rows.map(({ subject }) => subject)).toEqual([
      { type: 'route', id: 'POST /api/projects/:projectId/issues', name: null },
      { type: 'route', id: 'GET /api/users', name: null },
    ]);
    expect(rows[1]).toMatchObject({
      actor: { type: 'user', id: viewer.id },
      data: {
        method: 'GET',
        path: '/api/users',
        code: 'forbidden',
        detail: expect.stringContaining('Admin'),
      },
      requestId: expect.any(String),
    });
  });

  it('records a forged change with a session', async () => {
    const session = await asSession(service, 'Editor');
    await session.post('/api/projects', {}, { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(await audit(`actorId=${session.id}&type=access.refused`)).toMatchObject([
      { data: { code: 'csrf_rejected' } },
    ]);
  });

  it('records one row for a flood of equal refusals', async () => {
    const viewer = await asViewer(service);
    await Promise.all(Array.from({ length: 200 }, () => viewer.get('/api/users')));
    const rows = await audit(`actorId=${viewer.id}&type=access.refused`);
    // The minute of the clock may change while they run.
    expect([1, 2]).toContain(rows.length);
  });
});

describe('the records of tool calls', () => {
  const callAt = (age: string) =>
    service.sql(
      `INSERT INTO tool_calls (id, called_at, server_id, server_name, tool, argument_shape, result, duration_ms)
       VALUES (gen_random_uuid(), now() - $1::text::interval, gen_random_uuid(), 'x', $1::text, '{}', 'ok', 1)`,
      [age],
    );
  const tools = async () =>
    (await service.sql<{ tool: string }>('SELECT tool FROM tool_calls ORDER BY called_at')).map(
      ({ tool }) => tool,
    );

  it('are deleted after AUDIT_RETENTION_DAYS, once for all processes, while the journal stays', async () => {
    for (const age of ['40 days', '31 days', '29 days', '0 days']) await callAt(age);
    await (await service.second()).stop();
    expect(await tools()).toHaveLength(4);
    const before = await service.sql('SELECT count(*)::int AS rows FROM journal');
    // One after another, so that the second process of this worker serves them all.
    const strict = await service.second({ AUDIT_RETENTION_DAYS: '30' });
    expect(await until(async () => (await tools()).length === 2)).toBe(true);
    await strict.stop();
    expect(await tools()).toEqual(['29 days', '0 days']);
    expect(await service.sql('SELECT count(*)::int AS rows FROM journal')).toEqual(before);
    await callAt('50 days');
    await service.second({ AUDIT_RETENTION_DAYS: '30' });
    expect(await tools()).toContain('50 days');
  });
});
