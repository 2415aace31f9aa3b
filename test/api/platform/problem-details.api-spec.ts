import { describe, expect, it } from '@jest/globals';
import { anonymous, asEditor } from '../../support/callers.js';
import { notFound, refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import type { Refusal } from '../../support/wire.js';

const service = useService();

describe('an error response', () => {
  it('has the form of RFC 9457', async () => {
    const answer = await service.owner.get<Refusal>('/api/projects/nothing?x', {
      headers: { 'X-Request-Id': 'abc-1' },
    });
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    const { message } = answer.body;
    expect(answer.body).toEqual({
      type: 'urn:agent-work-platform:problem:validation_failed',
      title: expect.any(String),
      status: 400,
      detail: message,
      instance: '/api/projects/nothing',
      code: 'validation_failed',
      message: expect.stringContaining('x'),
      requestId: 'abc-1',
      errors: [{ path: 'x', message: expect.any(String) }],
    });
  });

  it('is the usual 404 for an unknown route', async () => {
    for (const path of [
      '/api',
      '/api/nothing',
      '/nothing',
      '/api/projects/a/b/c',
      '/.well-known/oauth-protected-resource',
      '/v0.1/servers',
      '/v0.1/servers/x/versions/latest',
    ])
      expect(await anonymous(service).get(path)).toMatchObject(notFound);
  });

  it('is the same for an unknown and a malformed id', async () => {
    const answers = [
      '01a1fc2c-4690-71ec-b875-d2220cb6115f',
      'x',
      'NOSUCH',
      'a'.repeat(5_000),
      '%20',
      "'",
    ].map((id) => service.owner.get(`/api/projects/${id}`));
    const bodies = (await Promise.all(answers)).map(({ status, body: { title, detail, code } }) => ({
      status,
      title,
      detail,
      code,
    }));
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(bodies[0]).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('is a 404 for a path that cannot be decoded', async () => {
    for (const path of ['/api/projects/%', '/api/projects/%E0%A4%A', '/%c0'])
      expect(await service.owner.get(path)).toMatchObject(notFound);
  });

  it('is a 405 with Allow for a known path with another method', async () => {
    const cases: [string, string, string][] = [
      ['PATCH', '/api/projects', 'GET, HEAD, POST'],
      ['POST', '/api/projects/ABC', 'DELETE, GET, HEAD, PUT'],
      ['DELETE', '/api/auth/me', 'GET, HEAD, PUT'],
      ['PUT', '/livez', 'GET, HEAD'],
      ['POST', '/api/agents/halt', 'GET, HEAD, PUT'],
    ];
    for (const [method, path, allow] of cases) {
      const answer = await service.owner.request(method, path);
      expect(answer).toMatchObject({ ...refused(405, 'method_not_allowed'), headers: { allow } });
    }
  });

  it('does not read a reserved word as a project', async () => {
    const editor = await asEditor(service);
    for (const word of ['attachments', 'links', 'comments', 'goals']) {
      expect(await editor.get(`/api/projects/${word}`)).toMatchObject(notFound);
      expect(await editor.put(`/api/projects/${word}`, { name: 'x' })).toMatchObject(notFound);
    }
  });

  it('is a 401 for an unauthenticated caller before the body is read', async () => {
    const answer = await anonymous(service).post('/api/projects', undefined, {
      rawBody: '{',
      headers: { 'content-type': 'x' },
    });
    expect(answer).toMatchObject(refused(401, 'unauthenticated'));
  });
});

describe('HEAD', () => {
  it('responds like GET, without a body', async () => {
    const answer = await service.owner.request('HEAD', '/api/projects');
    expect(answer).toMatchObject({ status: 200, text: '' });
  });
});

describe('X-Request-Id', () => {
  const sent = async (id: string) =>
    (await service.owner.get('/api/auth/me', { headers: { 'X-Request-Id': id } })).headers['x-request-id'];

  it('is returned when it is a safe token', async () => {
    for (const id of ['a', 'Req_1.2~3-4', 'x'.repeat(128)]) expect(await sent(id)).toBe(id);
  });

  it('is generated when it is missing or not a safe token', async () => {
    for (const id of ['', 'a b', 'a,b', '<x>', 'x'.repeat(129), 'é'])
      expect(await sent(id)).toMatch(/^[0-9a-f-]{36}$/);
    const [one, other] = await Promise.all([
      anonymous(service).get('/livez'),
      anonymous(service).get('/livez'),
    ]);
    expect(one.headers['x-request-id']).not.toBe(other.headers['x-request-id']);
  });
});

describe('every response', () => {
  it('has the security headers, and none that names the software', async () => {
    const { headers } = await service.owner.get('/api/auth/me');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'SAMEORIGIN' });
    expect(headers).toMatchObject({ 'cache-control': 'no-store', vary: 'Authorization, Cookie' });
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
  });
});
