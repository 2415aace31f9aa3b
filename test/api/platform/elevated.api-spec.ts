import { describe, expect, it } from '@jest/globals';
import { Caller } from '../../support/caller.js';
import {
  anonymous,
  aPerson,
  asAgent,
  asSession,
  PASSWORD,
  signedIn,
  withKey,
} from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { whileUncommitted } from '../work/while-uncommitted.js';

const service = useService();
const unauthenticated = refused(401, 'unauthenticated');
const forbidden = refused(403, 'forbidden');

const elevate = (session: Caller, password = PASSWORD) => session.post('/api/auth/elevate', { password });

/** Returns a caller with an elevated key of the session. */
async function elevated(session: Caller): Promise<Caller> {
  const { status, body, text } = await elevate(session);
  if (status !== 201) throw new Error(text);
  return withKey(service, String(body['key']));
}

const keysOf = (userId: string) =>
  service.sql<{ id: string }>('SELECT id FROM api_keys WHERE user_id = $1 AND session_id IS NOT NULL', [
    userId,
  ]);

async function recorded(type: string, subjectOrUser: string) {
  const { body } = await service.owner.get<{ data: Record<string, unknown> }[]>(`/api/audit?type=${type}`);
  return body.filter((entry) => JSON.stringify(entry).includes(subjectOrUser)).map(({ data }) => data);
}

describe('POST /api/auth/elevate', () => {
  it.each(['Admin', 'Owner'] as const)('gives an %s a key for 15 minutes', async (role) => {
    const session = await asSession(service, role);
    const before = Date.now();
    const { status, body } = await elevate(session);
    expect([status, Object.keys(body)]).toEqual([201, ['key', 'expiresAt']]);
    expect(body['key']).toMatch(/^awp_u_[0-9A-Za-z]{49}$/);
    const minutes = (Date.parse(String(body['expiresAt'])) - before) / 60_000;
    expect(minutes).toBeGreaterThan(14);
    expect(minutes).toBeLessThan(16);
  });

  it('refuses a wrong password with a code of its own, and records it', async () => {
    const session = await asSession(service, 'Admin');
    expect(await elevate(session, 'wrong')).toMatchObject(refused(403, 'wrong_password'));
    expect(await keysOf(session.id)).toEqual([]);
    expect(await recorded('login.failed', session.id)).toEqual([
      expect.objectContaining({ elevation: true }),
    ]);
  });

  it.each(['Viewer', 'Editor'] as const)('refuses a %s before the password is checked', async (role) => {
    const session = await asSession(service, role);
    const answer = await elevate(session, 'wrong');
    expect(answer).toMatchObject(forbidden);
    expect(answer.text).toContain('Admin');
  });

  it('refuses keys, agents and callers without a credential', async () => {
    const session = await asSession(service, 'Admin');
    for (const caller of [service.owner, await asAgent(service), await elevated(session)])
      expect(await elevate(caller)).toMatchObject(forbidden);
    expect(await elevate(anonymous(service))).toMatchObject(unauthenticated);
  });

  it('refuses a request of another site', async () => {
    const { headers } = await asSession(service, 'Admin');
    const other = new Caller(service, {
      headers: { cookie: headers['cookie']!, origin: 'https://evil.example' },
    });
    expect(await elevate(other)).toMatchObject(refused(403, 'csrf_rejected'));
  });

  it('refuses plain HTTP from another host', async () => {
    const session = await asSession(service, 'Admin');
    const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '192.0.2.1' };
    expect(await session.post('/api/auth/elevate', { password: PASSWORD }, { headers })).toMatchObject(
      refused(403, 'https_required'),
    );
  });

  it('refuses after 10 wrong passwords, even with the right one, while signing in goes on', async () => {
    const person = await aPerson(service, 'Admin');
    const session = await signedIn(service, person);
    for (let guess = 0; guess < 10; guess += 1)
      expect((await elevate(session, 'wrong')).body['code']).toBe('wrong_password');
    expect(await elevate(session)).toMatchObject(refused(429, 'rate_limited'));
    await service.sql('DELETE FROM login_failures');
    expect((await elevate(await signedIn(service, person))).status).toBe(201);
  });

  it.each([
    ['disables the user', 'UPDATE users SET disabled_at = now() WHERE id = $1'],
    ['sets another password', "UPDATE users SET password_hash = 'another' WHERE id = $1"],
    ['ends the session', 'DELETE FROM sessions WHERE user_id = $1'],
  ])('leaves no key when another transaction %s meanwhile', async (_, change) => {
    const session = await asSession(service, 'Admin');
    const answer = await whileUncommitted(service, change, [session.id], () => elevate(session));
    expect(answer).toMatchObject(unauthenticated);
    expect(await keysOf(session.id)).toEqual([]);
  });
});

describe('an elevated key', () => {
  it('opens the routes below /api/mcp', async () => {
    const caller = await elevated(await asSession(service, 'Admin'));
    for (const path of ['/api/mcp/installed', '/api/mcp/catalog', '/api/mcp/runtime', '/api/mcp/access'])
      expect((await caller.get(path)).status).toBe(200);
  });

  it('opens nothing else', async () => {
    const caller = await elevated(await asSession(service, 'Owner'));
    for (const path of [
      '/api/auth/me',
      '/api/auth/keys',
      '/api/users',
      '/api/projects',
      '/api/audit',
      '/api/agents',
    ])
      expect(await caller.get(path)).toMatchObject(forbidden);
    expect(await caller.get('/api/events')).toMatchObject(forbidden);
    expect(await caller.post('/api/auth/keys', { name: 'wider' })).toMatchObject(forbidden);
    expect(await caller.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' })).toMatchObject(forbidden);
  });

  it('loses what its user loses, at once', async () => {
    const session = await asSession(service, 'Admin');
    const caller = await elevated(session);
    await service.owner.put(`/api/users/${session.id}`, { role: 'Editor' });
    expect(await caller.get('/api/mcp/installed')).toMatchObject(forbidden);
  });

  it('is in no list of keys', async () => {
    const session = await asSession(service, 'Admin');
    await elevated(session);
    expect((await session.get('/api/auth/keys')).body).toEqual([]);
    expect((await service.owner.get(`/api/users/${session.id}/keys`)).body).toEqual([]);
  });

  it('stands in the audit with its kind and without its secret', async () => {
    const session = await asSession(service, 'Admin');
    const { body } = await elevate(session);
    const [created] = await recorded('key.created', session.id);
    expect(created).toMatchObject({ kind: 'elevated', userId: session.id, expiresAt: body['expiresAt'] });
    expect(JSON.stringify(created)).not.toContain(body['key']);
    await session.delete('/api/auth/elevate');
    expect(await recorded('key.deleted', session.id)).toEqual([{ kind: 'elevated', userId: session.id }]);
  });

  it('does not outlive the 7 days of its session', async () => {
    const session = await asSession(service, 'Admin');
    await service.sql(
      `UPDATE sessions SET created_at = now() - interval '7 days' + interval '1 minute' WHERE user_id = $1`,
      [session.id],
    );
    const { body } = await elevate(session);
    expect(Date.parse(String(body['expiresAt'])) - Date.now()).toBeLessThanOrEqual(60_000);
  });

  it('is refused once it has ended, and is swept', async () => {
    const session = await asSession(service, 'Admin');
    const caller = await elevated(session);
    await service.sql('UPDATE api_keys SET expires_at = now() WHERE user_id = $1', [session.id]);
    expect(await caller.get('/api/mcp/installed')).toMatchObject(unauthenticated);
    await service.sql(`DELETE FROM chores WHERE name = 'expired elevated keys'`);
    await service.second();
    await until(async () => (await keysOf(session.id)).length === 0);
  });
});

describe('an elevated key ends', () => {
  const ends = async (session: Caller, end: () => Promise<{ status: number }>) => {
    const caller = await elevated(session);
    expect((await caller.get('/api/mcp/runtime')).status).toBe(200);
    expect((await end()).status).toBeLessThan(300);
    expect(await caller.get('/api/mcp/runtime')).toMatchObject(unauthenticated);
    expect(await keysOf(session.id)).toEqual([]);
  };

  it('with DELETE /api/auth/elevate, which may be repeated and spares other sessions', async () => {
    const person = await aPerson(service, 'Admin');
    const [session, other] = [await signedIn(service, person), await signedIn(service, person)];
    const [first, second] = [await elevated(session), await elevated(session)];
    const spared = await elevated(other);
    for (const _ of [1, 2]) expect((await session.delete('/api/auth/elevate')).status).toBe(204);
    for (const caller of [first, second])
      expect(await caller.get('/api/mcp/runtime')).toMatchObject(unauthenticated);
    expect((await spared.get('/api/mcp/runtime')).status).toBe(200);
    expect((await session.get('/api/auth/me')).status).toBe(200);
  });

  it('with the logout of its session', async () => {
    const session = await asSession(service, 'Admin');
    await ends(session, () => session.post('/api/auth/logout'));
  });

  it('when the user is disabled', async () => {
    const session = await asSession(service, 'Admin');
    await ends(session, () => service.owner.put(`/api/users/${session.id}`, { disabled: true }));
  });

  it('when the user changes the password', async () => {
    const session = await asSession(service, 'Admin');
    const change = { currentPassword: PASSWORD, newPassword: 'another good phrase' };
    await ends(session, () => session.post('/api/auth/password', change));
  });

  it('when an Admin sets another password', async () => {
    const session = await asSession(service, 'Admin');
    await ends(session, () =>
      service.owner.put(`/api/users/${session.id}`, { password: 'another good phrase' }),
    );
  });
});

describe('a cookie alone under /api/mcp', () => {
  it('is 401 with a sentence that names elevated mode', async () => {
    const session = await asSession(service, 'Owner');
    const answer = await session.get('/api/mcp/installed');
    expect(answer).toMatchObject(unauthenticated);
    expect(answer.body['detail']).toContain('A session is not enough here');
    expect(answer.body['detail']).toContain('POST /api/auth/elevate');
  });
});
