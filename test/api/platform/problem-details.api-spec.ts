import { describe, expect, it } from '@jest/globals';
import { anonymous, asEditor } from '../../support/callers.js';
import { notFound, refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import type { Refusal } from '../../support/wire.js';

const service = useService();

describe('a refusal', () => {
  it('has the one form of RFC 9457', async () => {
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

  it('of an unknown route is the 404 of everything that is not there', async () => {
    for (const path of [
      '/',
      '/api',
      '/api/nothing',
      '/nothing',
      '/api/projects/a/b/c',
      '/.well-known/oauth-protected-resource',
    ])
      expect(await anonymous(service).get(path)).toMatchObject(notFound);
  });

  it('of an unknown id and of a malformed one do not differ', async () => {
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

  it('of a path that does not decode is a 404', async () => {
    for (const path of ['/api/projects/%', '/api/projects/%E0%A4%A', '/%c0'])
      expect(await service.owner.get(path)).toMatchObject(notFound);
  });

  it('of a known path with another verb is a 405 that allows what the path takes', async () => {
    const cases: [string, string, string][] = [
      ['PATCH', '/api/projects', 'GET, HEAD, POST'],
      ['POST', '/api/projects/ABC', 'DELETE, GET, HEAD, PUT'],
      ['DELETE', '/api/auth/me', 'GET, HEAD'],
      ['PUT', '/livez', 'GET, HEAD'],
      ['POST', '/api/agents/halt', 'GET, HEAD, PUT'],
    ];
    for (const [method, path, allow] of cases) {
      const answer = await service.owner.request(method, path);
      expect(answer).toMatchObject({ ...refused(405, 'method_not_allowed'), headers: { allow } });
    }
  });

  it('of a reserved word where a project is named is not read as a project', async () => {
    const editor = await asEditor(service);
    for (const word of ['attachments', 'links', 'comments', 'goals']) {
      expect(await editor.get(`/api/projects/${word}`)).toMatchObject(notFound);
      expect(await editor.put(`/api/projects/${word}`, { name: 'x' })).toMatchObject(notFound);
    }
  });

  it('never tells the route of someone who is not known: 401 comes before the body is looked at', async () => {
    const answer = await anonymous(service).post('/api/projects', undefined, {
      rawBody: '{',
      headers: { 'content-type': 'x' },
    });
    expect(answer).toMatchObject(refused(401, 'unauthenticated'));
  });
});

describe('HEAD', () => {
  it('answers as GET does, without a body', async () => {
    const answer = await service.owner.request('HEAD', '/api/projects');
    expect(answer).toMatchObject({ status: 200, text: '' });
  });
});

describe('X-Request-Id', () => {
  const sent = async (id: string) =>
    (await service.owner.get('/api/auth/me', { headers: { 'X-Request-Id': id } })).headers['x-request-id'];

  it('comes back where it is a sane token', async () => {
    for (const id of ['a', 'Req_1.2~3-4', 'x'.repeat(128)]) expect(await sent(id)).toBe(id);
  });

  it('is made anew where it is not, or is missing', async () => {
    for (const id of ['', 'a b', 'a,b', '<x>', 'x'.repeat(129), 'é'])
      expect(await sent(id)).toMatch(/^[0-9a-f-]{36}$/);
    const [one, other] = await Promise.all([
      anonymous(service).get('/livez'),
      anonymous(service).get('/livez'),
    ]);
    expect(one.headers['x-request-id']).not.toBe(other.headers['x-request-id']);
  });
});

describe('every answer', () => {
  it('has the headers of a careful service, and none that tells what it is made with', async () => {
    const { headers } = await service.owner.get('/api/auth/me');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'SAMEORIGIN' });
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
  });
});
