import { describe, expect, it } from '@jest/globals';
import { Caller } from '../../support/caller.js';
import {
  anonymous,
  aPerson,
  asAgent,
  asEditor,
  asSession,
  asViewer,
  PASSWORD,
  signedIn,
} from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import { whileUncommitted } from '../work/while-uncommitted.js';

const service = useService({ settings: { DASHBOARD_ORIGINS: 'https://dash.example.com' } });
const unauthenticated = refused(401, 'unauthenticated');
const aProjectBody = () => ({ key: `S${Math.random().toString(36).slice(2, 8).toUpperCase()}`, name: 'x' });
const page = (caller: Caller, headers: Record<string, string>) =>
  new Caller(service, { headers: { cookie: caller.headers['cookie']!, ...headers } });

describe('signing in', () => {
  it('returns the user and a cookie that scripts cannot read', async () => {
    const person = await aPerson(service, 'Viewer');
    const answer = await anonymous(service).post('/api/auth/login', {
      email: person.email.toUpperCase(),
      password: PASSWORD,
    });
    expect(answer).toMatchObject({ status: 200, body: { id: person.id, role: 'Viewer', disabledAt: null } });
    expect(answer.headers['set-cookie']).toMatch(/^awp_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(answer.text).not.toMatch(/password|argon/);
  });

  it('gives the user the permissions of the role, like a key', async () => {
    const viewer = await asSession(service, 'Viewer');
    expect((await viewer.get('/api/auth/me')).body).toEqual({
      type: 'user',
      id: viewer.id,
      name: viewer.name,
      email: expect.any(String),
      role: 'Viewer',
      keyExpiresAt: null,
      signedInWith: 'password',
    });
    expect(await viewer.post('/api/projects', aProjectBody())).toMatchObject(refused(403, 'forbidden'));
    const editor = await asSession(service, 'Editor');
    expect((await editor.post('/api/projects', aProjectBody())).status).toBe(201);
  });

  it('stores only a hash of the token, and logs neither token nor password', async () => {
    const caller = await asSession(service, 'Viewer');
    const token = caller.headers['cookie']!.split('=')[1]!;
    const rows = await service.sql('SELECT * FROM sessions');
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(service.log).not.toContain(token);
    expect(service.log).not.toContain(PASSWORD);
  });

  it('returns a new token each time, and ends the session that the browser had before', async () => {
    const person = await aPerson(service, 'Viewer');
    const former = await signedIn(service, person);
    const again = await page(former, {}).post('/api/auth/login', { email: person.email, password: PASSWORD });
    expect(again.status).toBe(200);
    expect(again.headers['set-cookie']).not.toContain(former.headers['cookie']);
    expect(await former.get('/api/auth/me')).toMatchObject(unauthenticated);
  });

  it('keeps the sessions of several browsers independent', async () => {
    const person = await aPerson(service, 'Viewer');
    const both = [await signedIn(service, person), await signedIn(service, person)];
    for (const one of both) expect((await one.get('/api/auth/me')).status).toBe(200);
  });

  it('refuses an unknown user, a wrong password, a user without a password and a disabled user alike', async () => {
    const person = await aPerson(service, 'Viewer');
    const disabled = await aPerson(service, 'Viewer');
    await service.owner.delete(`/api/users/${disabled.id}`);
    const keyOnly = (await (await asViewer(service)).get('/api/auth/me')).body['email'];
    const bodies = [];
    for (const credentials of [
      { email: 'nobody@example.com', password: PASSWORD },
      { email: person.email, password: 'wrong' },
      { email: disabled.email, password: PASSWORD },
      { email: keyOnly, password: PASSWORD },
    ]) {
      const answer = await anonymous(service).post('/api/auth/login', credentials);
      expect(answer).toMatchObject(unauthenticated);
      expect(answer.headers['set-cookie']).toBeUndefined();
      const { requestId: _, ...rest } = answer.body;
      bodies.push(rest);
    }
    expect(new Set(bodies.map((one) => JSON.stringify(one))).size).toBe(1);
  });

  it('names each invalid field of the body', async () => {
    expect(await anonymous(service).post('/api/auth/login', { email: 'x', password: '' })).toMatchObject(
      refused(400, 'validation_failed', 'email', 'password'),
    );
  });
});

describe('a cookie', () => {
  it('is ignored beside a key in the same request, whether the key is valid or not', async () => {
    const session = await asSession(service, 'Viewer');
    const editor = await asEditor(service);
    const both = { ...session.headers, authorization: `Bearer ${editor.key}` };
    expect((await anonymous(service).get('/api/auth/me', { headers: both })).body['id']).toBe(editor.id);
    const wrong = { ...session.headers, authorization: 'Bearer nonsense' };
    expect(await anonymous(service).get('/api/auth/me', { headers: wrong })).toMatchObject(unauthenticated);
  });

  it('is refused alone under /api/mcp, even for an Owner, and ignored beside a key', async () => {
    const owner = await asSession(service, 'Owner');
    for (const path of ['/api/mcp/installed', '/api/mcp/catalog', '/api/mcp/runtime'])
      expect(await owner.get(path)).toMatchObject(unauthenticated);
    expect(await owner.post('/api/mcp/installed', { catalogId: 'x' })).toMatchObject(unauthenticated);
    const authorization = `Bearer ${service.ownerKey}`;
    expect((await owner.get('/api/mcp/catalog', { headers: { authorization } })).status).toBe(200);
  });

  it.each(['awp_session=x', 'awp_session=', '__Host-awp_session=x', 'awp_session=%ff', 'awp_session'])(
    'is refused when it is invented: %s',
    async (cookie) => {
      expect(await anonymous(service).get('/api/auth/me', { headers: { cookie } })).toMatchObject(
        unauthenticated,
      );
    },
  );

  it('is ignored over plain HTTP under its name for HTTPS', async () => {
    const session = await asSession(service, 'Viewer');
    const cookie = `__Host-${session.headers['cookie']}`;
    expect(await anonymous(service).get('/api/auth/me', { headers: { cookie } })).toMatchObject(
      unauthenticated,
    );
  });
});

describe('a change made with a cookie', () => {
  it.each<[Record<string, string>]>([
    [{}],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ origin: 'https://dash.example.com.evil.example' }],
    [{ origin: 'http://dash.example.com' }],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ])('is refused when it does not come from an allowed page: %j', async (headers) => {
    const caller = page(await asSession(service, 'Editor'), headers);
    const body = aProjectBody();
    expect(await caller.post('/api/projects', body)).toMatchObject(refused(403, 'csrf_rejected'));
    expect(await service.owner.get(`/api/projects/${body.key}`)).toMatchObject(refused(404, 'not_found'));
    expect((await caller.get('/api/projects')).status).toBe(200);
  });

  it('is accepted from a page of the service or of a dashboard', async () => {
    const session = await asSession(service, 'Editor');
    const { port } = new URL(service.baseUrl);
    for (const headers of [
      { 'sec-fetch-site': 'same-origin' },
      { origin: `http://127.0.0.1:${port}` },
      { origin: `http://localhost:${port}` },
      { origin: 'https://dash.example.com', 'sec-fetch-site': 'same-site' },
    ] as Record<string, string>[])
      expect((await page(session, headers).post('/api/projects', aProjectBody())).status).toBe(201);
  });

  it('is accepted from any page with a key', async () => {
    const editor = await asEditor(service);
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await editor.post('/api/projects', aProjectBody(), { headers })).status).toBe(201);
  });
});

describe('CORS', () => {
  const preflight = (origin: string, path = '/api/projects') =>
    anonymous(service)
      .unchecked()
      .request('OPTIONS', path, {
        headers: {
          origin,
          'access-control-request-method': 'PUT',
          'access-control-request-headers': 'content-type,if-match',
        },
      });

  it('responds to the preflight of a dashboard without authentication', async () => {
    const answer = await preflight('https://dash.example.com');
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'https://dash.example.com',
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'content-type,if-match',
      'access-control-allow-methods': expect.stringContaining('PUT'),
    });
  });

  it('lets a dashboard read responses and their headers', async () => {
    const session = await asSession(service, 'Viewer');
    const answer = await session.get('/api/projects', { headers: { origin: 'https://dash.example.com' } });
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'https://dash.example.com',
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': expect.stringContaining('Link'),
      vary: expect.stringContaining('Origin'),
    });
  });

  it.each(['https://evil.example', 'null', 'https://dash.example.com.evil.example'])(
    'allows nothing to %s',
    async (origin) => {
      const asked = await preflight(origin);
      expect(asked).toMatchObject(refused(405, 'method_not_allowed'));
      const answer = await service.owner.get('/api/projects', { headers: { origin } });
      for (const { headers } of [asked, answer])
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    },
  );
});

describe('a session ends', () => {
  it('when the user signs out, on the server too', async () => {
    const caller = await asSession(service, 'Viewer');
    const answer = await caller.post('/api/auth/logout');
    expect(answer.status).toBe(204);
    expect(answer.headers['set-cookie']).toMatch(
      /^awp_session=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(await caller.get('/api/auth/me')).toMatchObject(unauthenticated);
    expect(await caller.post('/api/auth/logout')).toMatchObject(unauthenticated);
  });

  it('only with its own logout, which a key cannot request', async () => {
    const person = await aPerson(service, 'Viewer');
    const [one, other] = [await signedIn(service, person), await signedIn(service, person)];
    await one.post('/api/auth/logout');
    expect((await other.get('/api/auth/me')).status).toBe(200);
    for (const caller of [await asEditor(service), await asAgent(service)])
      expect(await caller.post('/api/auth/logout')).toMatchObject(refused(403, 'forbidden'));
    expect(await anonymous(service).post('/api/auth/logout')).toMatchObject(unauthenticated);
  });

  it('when the user is disabled, and does not return when the user is enabled', async () => {
    const caller = await asSession(service, 'Viewer');
    await service.owner.put(`/api/users/${caller.id}`, { disabled: true });
    expect(await caller.get('/api/auth/me')).toMatchObject(unauthenticated);
    await service.owner.put(`/api/users/${caller.id}`, { disabled: false });
    expect(await caller.get('/api/auth/me')).toMatchObject(unauthenticated);
  });

  it('when an Admin sets a new password', async () => {
    const caller = await asSession(service, 'Viewer');
    await service.owner.put(`/api/users/${caller.id}`, { password: 'something else entirely' });
    expect(await caller.get('/api/auth/me')).toMatchObject(unauthenticated);
  });

  it('after 12 hours without use, and after 7 days with use', async () => {
    for (const [column, age] of [
      ['last_used_at', '12 hours'],
      ['created_at', '7 days'],
    ]) {
      const caller = await asSession(service, 'Viewer');
      const set = (back: string) =>
        service.sql(`UPDATE sessions SET ${column} = now() - $1::interval WHERE user_id = $2`, [
          back,
          caller.id,
        ]);
      await set(`${age} - 1 minute`.replace(' - ', ' -'));
      expect((await caller.get('/api/auth/me')).status).toBe(200);
      await set(age!);
      expect(await caller.get('/api/auth/me')).toMatchObject(unauthenticated);
    }
  });

  it('and a request in flight does not restore it', async () => {
    const caller = await asSession(service, 'Viewer');
    await service.sql(`UPDATE sessions SET last_used_at = now() - interval '2 minutes' WHERE user_id = $1`, [
      caller.id,
    ]);
    const reading = Array.from({ length: 20 }, () => caller.get('/api/auth/me'));
    await caller.post('/api/auth/logout');
    await Promise.all(reading);
    expect(await service.sql('SELECT 1 FROM sessions WHERE user_id = $1', [caller.id])).toEqual([]);
  });

  it('and its last use is written at most once per minute', async () => {
    const caller = await asSession(service, 'Viewer');
    const used = () => service.sql('SELECT last_used_at FROM sessions WHERE user_id = $1', [caller.id]);
    const before = await used();
    await caller.get('/api/auth/me');
    expect(await used()).toEqual(before);
    await service.sql(`UPDATE sessions SET last_used_at = now() - interval '2 minutes' WHERE user_id = $1`, [
      caller.id,
    ]);
    await caller.get('/api/auth/me');
    const [row] = await service.sql<{ fresh: boolean }>(
      `SELECT last_used_at > now() - interval '1 minute' AS fresh FROM sessions WHERE user_id = $1`,
      [caller.id],
    );
    expect(row).toEqual({ fresh: true });
  });

  it('but not with a demotion, after which the new role counts at once', async () => {
    const caller = await asSession(service, 'Admin');
    await service.owner.put(`/api/users/${caller.id}`, { role: 'Viewer' });
    expect(await caller.get('/api/users')).toMatchObject(refused(403, 'forbidden'));
    expect((await caller.get('/api/auth/me')).body['role']).toBe('Viewer');
  });
});

describe('a login during a change of the user', () => {
  it.each([
    ['disables the user', 'disabled_at = now()'],
    ['sets a new password', "password_hash = 'another'"],
  ])('leaves no session when the change %s', async (_, change) => {
    const person = await aPerson(service, 'Viewer');
    const credentials = { email: person.email, password: PASSWORD };
    const answer = await whileUncommitted(
      service,
      `UPDATE users SET ${change} WHERE id = $1`,
      [person.id],
      () => anonymous(service).post('/api/auth/login', credentials),
    );
    expect(answer).toMatchObject(unauthenticated);
    expect(await service.sql('SELECT 1 FROM sessions WHERE user_id = $1', [person.id])).toEqual([]);
  });
});

describe("changing one's own password", () => {
  const change = { currentPassword: PASSWORD, newPassword: 'another good phrase' };

  it('admits the new password only, and ends every session', async () => {
    const person = await aPerson(service, 'Viewer');
    const [one, other] = [await signedIn(service, person), await signedIn(service, person)];
    const answer = await one.post('/api/auth/password', change);
    expect(answer.status).toBe(204);
    expect(answer.headers['set-cookie']).toContain('Max-Age=0');
    for (const caller of [one, other])
      expect(await caller.get('/api/auth/me')).toMatchObject(unauthenticated);
    await expect(signedIn(service, person)).rejects.toThrow('401');
    expect((await (await signedIn(service, person, change.newPassword)).get('/api/auth/me')).status).toBe(
      200,
    );
  });

  it('is possible with a key, which stays valid', async () => {
    const person = await aPerson(service, 'Viewer');
    const { key } = (await service.owner.post(`/api/users/${person.id}/keys`, { name: 'k' })).body;
    const caller = new Caller(service, { key: String(key) });
    expect((await caller.post('/api/auth/password', change)).status).toBe(204);
    expect((await caller.get('/api/auth/me')).status).toBe(200);
  });

  it('needs the current password and a new one of 12 characters', async () => {
    const caller = await asSession(service, 'Viewer');
    expect(await caller.post('/api/auth/password', { ...change, currentPassword: 'wrong' })).toMatchObject(
      refused(400, 'validation_failed', 'currentPassword'),
    );
    expect(await caller.post('/api/auth/password', { ...change, newPassword: 'eleven char' })).toMatchObject(
      refused(400, 'validation_failed', 'newPassword'),
    );
    expect((await caller.get('/api/auth/me')).status).toBe(200);
    const keyOnly = await asViewer(service);
    expect(await keyOnly.post('/api/auth/password', change)).toMatchObject(
      refused(400, 'validation_failed', 'currentPassword'),
    );
  });

  it('is refused for an agent', async () => {
    expect(await (await asAgent(service)).post('/api/auth/password', change)).toMatchObject(
      refused(403, 'forbidden'),
    );
    expect(await anonymous(service).post('/api/auth/password', change)).toMatchObject(unauthenticated);
  });
});

describe('plain HTTP from another host', () => {
  const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '192.0.2.1' };

  it('admits neither a login nor a change of password', async () => {
    const person = await aPerson(service, 'Viewer');
    const login = await anonymous(service).post(
      '/api/auth/login',
      { email: person.email, password: PASSWORD },
      { headers },
    );
    expect(login).toMatchObject(refused(403, 'https_required'));
    expect(login.headers['set-cookie']).toBeUndefined();
    const session = await signedIn(service, person);
    expect(
      await session.post(
        '/api/auth/password',
        { currentPassword: PASSWORD, newPassword: 'another good phrase' },
        { headers },
      ),
    ).toMatchObject(refused(403, 'https_required'));
    expect((await session.get('/api/auth/me')).status).toBe(200);
  });
});

describe('over HTTPS', () => {
  const proxied = useService({ settings: { TRUSTED_PROXIES: '127.0.0.1' } });

  it('sets a cookie that is bound to this host and to HTTPS', async () => {
    const headers = { 'X-Forwarded-Proto': 'https' };
    const person = await aPerson(proxied, 'Editor');
    const answer = await anonymous(proxied).post(
      '/api/auth/login',
      { email: person.email, password: PASSWORD },
      { headers },
    );
    expect(answer.headers['set-cookie']).toMatch(
      /^__Host-awp_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const cookie = answer.headers['set-cookie']!.split(';', 1)[0]!;
    const caller = new Caller(proxied, { headers: { ...headers, cookie } });
    expect((await caller.get('/api/auth/me')).status).toBe(200);
    const sameOrigin = { 'sec-fetch-site': 'same-origin' };
    expect((await caller.post('/api/projects', aProjectBody(), { headers: sameOrigin })).status).toBe(201);
    const plain = cookie.replace('__Host-', '');
    expect(await caller.get('/api/auth/me', { headers: { cookie: plain } })).toMatchObject(unauthenticated);
  });
});
