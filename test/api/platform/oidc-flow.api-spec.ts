import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aPerson, asSession, withKey } from '../../support/callers.js';
import { HttpBrowser } from '../../support/oidc/browser.js';
import { OidcProvider } from '../../support/oidc/provider.js';
import { asBrowser, callbackFor, signInAs } from '../../support/oidc/sign-in.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const provider = new OidcProvider();
const settings: Record<string, string> = {
  OIDC_NAME: 'Acme',
  OIDC_SCOPES: 'openid profile email groups',
  OIDC_ROLE_CLAIM: 'groups',
  OIDC_ROLE_MAP: 'staff=Editor,admins=Admin,owners=Owner',
};
const person = (name: string, groups: string[], more = {}) => ({
  name,
  email: `${name.toLowerCase()}@acme.example`,
  email_verified: true,
  groups,
  ...more,
});
const accounts: Record<string, Record<string, unknown>> = {
  ada: person('Ada', ['staff', 'other']),
  grace: person('Grace', ['admins', 'staff']),
  eve: person('Eve', ['other']),
  kim: person('Kim', ['staff']),
  sam: person('Sam', ['staff'], { email_verified: false }),
};
beforeAll(async () => void Object.assign(settings, (await provider.start()).settings));
const service = useService({ settings });
beforeAll(() => provider.register(service.baseUrl, accounts));
afterAll(() => provider.stop());

const login = (account: string, query?: string, browser = new HttpBrowser()) =>
  signInAs(browser, service, account, query);
const at = (path: string) => service.baseUrl + path;

async function audited(type: string, word: string) {
  const { body } = await service.owner.get<{ data: Record<string, unknown> }[]>(`/api/audit?type=${type}`);
  return body.filter((entry) => JSON.stringify(entry).includes(word)).map(({ data }) => data);
}

describe('signing in at the provider', () => {
  it('creates the user with the role of the map and leads to the page that was asked for', async () => {
    const browser = new HttpBrowser();
    const answer = await login('ada', '?returnTo=/agents?x=1', browser);
    expect([answer.status, answer.location]).toEqual([303, at('/agents?x=1')]);
    const { body } = await asBrowser(browser, service).get('/api/auth/me');
    expect(body).toMatchObject({
      name: 'Ada',
      email: 'ada@acme.example',
      role: 'Editor',
      signedInWith: 'oidc',
    });
    expect(await audited('user.created', 'ada@acme')).toEqual([
      { email: 'ada@acme.example', role: 'Editor', issuer: provider.issuer, subject: 'ada' },
    ]);
    expect(await audited('login.succeeded', String(body['id']))).toEqual([{ method: 'oidc' }]);
  });

  it('keeps the user when name and address change at the provider, and gives the new role', async () => {
    const browser = new HttpBrowser();
    await login('kim', '', browser);
    const { id } = (await asBrowser(browser, service).get<{ id: string }>('/api/auth/me')).body;
    await provider.change({ accounts: { ...accounts, kim: person('Other', ['admins']) } });
    const again = new HttpBrowser();
    await login('kim', '', again);
    expect((await asBrowser(again, service).get('/api/auth/me')).body).toMatchObject({ id, role: 'Admin' });
    expect(await audited('user.updated', id)).toEqual([
      { role: { old: 'Editor', new: 'Admin' }, by: 'oidc' },
    ]);
    await provider.change({ accounts });
    await login('kim', '', again);
    expect((await asBrowser(again, service).get('/api/auth/me')).body['role']).toBe('Editor');
  });

  it.each([
    ['without a value of the map', 'eve', 'no_role'],
    ['with an address that the provider calls unverified', 'sam', 'no_email'],
  ])('refuses a person %s, and records it', async (_, account, reason) => {
    const answer = await login(account);
    expect(answer.location).toBe(at(`/login?problem=${reason}`));
    expect(await audited('login.failed', account)).toContainEqual(
      expect.objectContaining({ method: 'oidc', reason, subject: account }),
    );
    expect(await service.sql('SELECT 1 FROM user_identities WHERE subject = $1', [account])).toEqual([]);
  });

  it('gives no person the user of an address, until an Owner joins the two', async () => {
    const existing = await aPerson(service, 'Viewer');
    await provider.change({
      accounts: { ...accounts, vic: person('Vic', ['staff'], { email: existing.email }) },
    });
    expect((await login('vic')).location).toBe(at('/login?problem=email_taken'));
    const path = `/api/users/${existing.id}/identity`;
    const admin = await asSession(service, 'Admin');
    expect(await admin.put(path, { subject: 'vic' })).toMatchObject(refused(403, 'forbidden'));
    const { issuer } = provider;
    expect(await admin.get(path)).toMatchObject(refused(403, 'forbidden'));
    expect((await service.owner.get(path)).body).toEqual({ issuer, subject: null });
    expect((await service.owner.put(path, { subject: 'vic' })).body).toEqual({ issuer, subject: 'vic' });
    expect((await service.owner.get(path)).body).toEqual({ issuer, subject: 'vic' });
    const browser = new HttpBrowser();
    await login('vic', '', browser);
    const me = asBrowser(browser, service);
    expect((await me.get('/api/auth/me')).body).toMatchObject({ id: existing.id, role: 'Editor' });
    expect(await service.owner.put(`/api/users/${admin.id}/identity`, { subject: 'vic' })).toMatchObject(
      refused(409, 'name_taken'),
    );
    expect((await service.owner.delete(path)).status).toBe(204);
    expect(await me.get('/api/auth/me')).toMatchObject(refused(401, 'unauthenticated'));
    expect((await login('vic')).location).toBe(at('/login?problem=email_taken'));
  });

  it('keeps a user out who is disabled here', async () => {
    const browser = new HttpBrowser();
    await login('ada', '', browser);
    const me = asBrowser(browser, service);
    const { id } = (await me.get<{ id: string }>('/api/auth/me')).body;
    await service.owner.put(`/api/users/${id}`, { disabled: true });
    expect(await me.get('/api/auth/me')).toMatchObject(refused(401, 'unauthenticated'));
    expect((await login('ada', '?returnTo=/agents')).location).toBe(
      at('/login?problem=disabled&next=%2Fagents'),
    );
    await service.owner.put(`/api/users/${id}`, { disabled: false });
    expect((await login('ada')).location).toBe(at('/'));
  });

  it('leaves the last Owner who can sign in Owner, whatever the map says', async () => {
    await provider.change({ accounts: { ...accounts, olga: person('Olga', ['owners']) } });
    const browser = new HttpBrowser();
    await login('olga', '', browser);
    const { id } = (await asBrowser(browser, service).get<{ id: string }>('/api/auth/me')).body;
    await service.sql(`UPDATE users SET role = 'Viewer' WHERE id <> $1 AND role = 'Owner'`, [id]);
    await provider.change({ accounts: { ...accounts, olga: person('Olga', ['staff']) } });
    await login('olga', '', browser);
    expect((await asBrowser(browser, service).get('/api/auth/me')).body['role']).toBe('Owner');
    const kept = await service.sql(
      `SELECT data FROM journal WHERE type = 'user.role_kept' AND subject_id = $1`,
      [id],
    );
    expect(kept).toEqual([{ data: { role: 'Owner', mapped: 'Editor' } }]);
    expect((await asBrowser(browser, service).delete(`/api/users/${id}/identity`)).body['code']).toBe(
      'last_owner',
    );
    await service.sql(`UPDATE users SET role = 'Owner' WHERE email = 'owner@example.com'`);
    await login('olga', '', browser);
    expect((await asBrowser(browser, service).get('/api/auth/me')).body['role']).toBe('Editor');
  });

  it('goes on with a new key of the provider at once', async () => {
    await login('ada');
    await provider.change({ rotate: true });
    expect((await login('ada')).location).toBe(at('/'));
  });
});

describe('elevated mode of a person without a password', () => {
  const elevate = (browser: HttpBrowser, body: object = {}) =>
    asBrowser(browser, service).post('/api/auth/elevate', body);

  it('takes credentials again at the provider, once per key', async () => {
    const browser = new HttpBrowser();
    await login('grace', '', browser);
    expect(await elevate(browser)).toMatchObject(refused(403, 'confirmation_missing'));
    expect(await elevate(browser, { password: 'guess' })).toMatchObject(refused(403, 'wrong_password'));
    const session = browser.cookieOf(service.baseUrl);
    expect((await login('grace', '?confirm=true&returnTo=/servers', browser)).location).toBe(at('/servers'));
    expect(browser.visited.some((url) => url.includes('prompt=login') && url.includes('max_age=0'))).toBe(
      true,
    );
    expect(browser.cookieOf(service.baseUrl)).toBe(session);
    const made = await elevate(browser);
    expect(made.status).toBe(201);
    expect((await withKey(service, String(made.body['key'])).get('/api/mcp/installed')).status).toBe(200);
    expect(await elevate(browser)).toMatchObject(refused(403, 'confirmation_missing'));
  });

  it('is not confirmed by another person, by the session at the provider alone, or too long ago', async () => {
    const [browser, thief] = [new HttpBrowser(), new HttpBrowser()];
    await login('grace', '', browser);
    await login('ada', '', thief);
    thief.setCookie(service.baseUrl, 'awp_session', browser.cookieOf(service.baseUrl).split('=')[1]!);
    expect((await login('ada', '?confirm=true', thief)).location).toBe(at('/login?problem=other_person'));
    await service.sql(
      `UPDATE sessions SET confirmed_at = now() - interval '6 minutes' WHERE oidc_issuer IS NOT NULL`,
    );
    expect(await elevate(browser)).toMatchObject(refused(403, 'confirmation_missing'));
  });
});

describe('a logout at the provider', () => {
  it('ends the session here, its keys and its event streams, in every process', async () => {
    const [browser, elsewhere] = [new HttpBrowser(), new HttpBrowser()];
    await login('grace', '', browser);
    await login('grace', '', elsewhere);
    const second = await service.second();
    const me = asBrowser(browser, service);
    const stream = await me.at(second).open('GET', '/api/events');
    expect(stream.statusCode).toBe(200);
    const page = await browser.follow(`${provider.issuer}/session/end`);
    const [, action = '', xsrf = ''] =
      /action="([^"]+)"[\s\S]*name="xsrf" value="([^"]+)"/.exec(page.text) ?? [];
    await browser.go(action, { xsrf, logout: 'yes' });
    expect(provider.log).not.toContain('back-channel');
    for await (const _ of stream.body); // The stream ends.
    for (const caller of [me, me.at(second)])
      expect(await caller.get('/api/auth/me')).toMatchObject(refused(401, 'unauthenticated'));
    expect((await asBrowser(elsewhere, service).get('/api/auth/me')).status).toBe(200);
    expect(await audited('login.ended', 'oidc')).toHaveLength(1);
  });
});

describe('while the provider is down', () => {
  it('existing sessions go on, and the sign-in says so', async () => {
    const browser = new HttpBrowser();
    await login('ada', '', browser);
    const pending = new HttpBrowser();
    const callback = await callbackFor(pending, service, 'ada');
    await provider.stop();
    expect((await asBrowser(browser, service).get('/api/auth/me')).status).toBe(200);
    expect((await pending.go(callback)).location).toBe(at('/login?problem=unavailable'));
    const begun = () => browser.go(at('/api/auth/oidc/login?returnTo=/agents'));
    await until(async () => (await begun()).location === at('/login?problem=unavailable&next=%2Fagents'));
    await provider.start();
    await provider.register(service.baseUrl, accounts);
    await until(async () => (await login('ada')).location === at('/'));
  });
});
