import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { anonymous, asSession } from '../../support/callers.js';
import { HttpBrowser } from '../../support/oidc/browser.js';
import { ForgingProvider, type Forgery } from '../../support/oidc/forging-provider.js';
import { asBrowser } from '../../support/oidc/sign-in.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const provider = new ForgingProvider();
const settings: Record<string, string> = { OIDC_DEFAULT_ROLE: 'Admin' };
beforeAll(async () => void Object.assign(settings, (await provider.start()).settings));
const service = useService({ settings });
beforeEach(() => provider.reset());
afterAll(() => provider.stop());

const at = (path: string) => service.baseUrl + path;
const page = (problem: string) => at(`/login?problem=${problem}`);
const sessions = () => service.sql('SELECT id FROM sessions WHERE oidc_issuer IS NOT NULL');

/** Begins a sign-in and returns the address at the provider. */
async function begin(browser: HttpBrowser, query = ''): Promise<string> {
  return (await browser.go(at(`/api/auth/oidc/login${query}`))).location!;
}

const comeBack = (browser: HttpBrowser, query: string) => browser.go(at(`/api/auth/oidc/callback${query}`));

/** Signs in and returns where the browser ends. */
async function signIn(browser = new HttpBrowser(), query = '', more: Record<string, string> = {}) {
  return (await comeBack(browser, provider.answerTo(await begin(browser, query), more))).location;
}

async function signedIn(sub: string, sid?: string): Promise<HttpBrowser> {
  provider.forgery = { claims: { sub, sid, email: `${sub}@acme.example` } };
  const browser = new HttpBrowser();
  expect(await signIn(browser)).toBe(at('/'));
  return browser;
}

describe('the request to the provider', () => {
  it('has PKCE, state, nonce and the one redirect URI, and the exchange the verifier', async () => {
    const browser = new HttpBrowser();
    const url = new URL(await begin(browser, '?returnTo=https://evil.example'));
    const query = Object.fromEntries(url.searchParams);
    expect(query).toMatchObject({
      response_type: 'code',
      client_id: 'awp',
      redirect_uri: at('/api/auth/oidc/callback'),
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as unknown,
      state: expect.stringMatching(/^[\w-]{43}$/) as unknown,
      nonce: expect.stringMatching(/^[\w-]{43}$/) as unknown,
    });
    expect((await comeBack(browser, provider.answerTo(url.href))).location).toBe(at('/'));
    expect(provider.tokenRequest.get('code_verifier')).toMatch(/^[\w-]{43}$/);
  });

  it.each(['https://evil.example', '//evil.example', '/\\evil.example', '/.//evil.example'])(
    'never leads to %s afterwards',
    async (target) => {
      expect(await signIn(new HttpBrowser(), `?returnTo=${encodeURIComponent(target)}`)).toBe(at('/'));
    },
  );
});

describe('a state', () => {
  it('is worth nothing in another browser, which does not use it up', async () => {
    const [victim, thief] = [new HttpBrowser(), new HttpBrowser()];
    const answer = provider.answerTo(await begin(victim));
    await begin(thief);
    const taken = provider.codesTaken;
    for (const browser of [thief, new HttpBrowser()])
      expect((await comeBack(browser, answer)).location).toBe(page('expired'));
    expect(provider.codesTaken).toBe(taken);
    expect((await comeBack(victim, answer)).location).toBe(at('/'));
  });

  it('is accepted once, and not after 10 minutes', async () => {
    const browser = new HttpBrowser();
    const answer = provider.answerTo(await begin(browser));
    const cookie = browser.cookieOf(service.baseUrl).split('=')[1]!;
    expect((await comeBack(browser, answer)).location).toBe(at('/'));
    browser.setCookie(service.baseUrl, 'awp_oidc', cookie);
    expect((await comeBack(browser, answer)).location).toBe(page('expired'));
    const late = provider.answerTo(await begin(browser));
    await service.sql(`UPDATE oidc_sign_ins SET created_at = now() - interval '10 minutes'`);
    expect((await comeBack(browser, late)).location).toBe(page('expired'));
  });

  it('does not take the code of another sign-in', async () => {
    const [victim, attacker] = [new HttpBrowser(), new HttpBrowser()];
    const own = new URLSearchParams(provider.answerTo(await begin(victim)));
    // The provider answers the sign-in that the attacker began, whose nonce the victim's browser does not have.
    const injected = new URLSearchParams(provider.answerTo(await begin(attacker)));
    injected.set('state', own.get('state')!);
    expect((await comeBack(victim, `?${injected.toString()}`)).location).toBe(page('invalid'));
  });
});

describe('an answer of the provider', () => {
  it.each<[string, Record<string, string>, string]>([
    ['of another issuer', { iss: 'https://other.example' }, 'invalid'],
    ['that says that the person refused', { error: 'access_denied', code: '' }, 'cancelled'],
    ['that says that it is busy', { error: 'temporarily_unavailable', code: '' }, 'unavailable'],
    ['that refuses the client', { error: 'unauthorized_client', code: '' }, 'misconfigured'],
    ['with an error that is no word', { error: '<script>alert(1)</script>', code: '' }, 'invalid'],
  ])('%s leads to the sign-in page', async (_, more, problem) => {
    const before = await sessions();
    expect(await signIn(new HttpBrowser(), '', more)).toBe(page(problem));
    expect(await sessions()).toEqual(before);
  });

  it('without the issuer is refused, because the provider says that it sends it', async () => {
    const browser = new HttpBrowser();
    const query = new URLSearchParams(provider.answerTo(await begin(browser)));
    query.delete('iss');
    expect((await comeBack(browser, `?${query.toString()}`)).location).toBe(page('invalid'));
  });

  it.each<[string, Forgery]>([
    ['with another nonce', { claims: { nonce: 'other' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['for another client', { claims: { aud: 'another-client' } }],
    ['for this client among others, authorized for another', { claims: { aud: ['awp', 'b'], azp: 'b' } }],
    ['of another issuer', { claims: { iss: 'https://other.example' } }],
    ['that has ended', { claims: { exp: Math.floor(Date.now() / 1_000) - 120 } }],
    ['of a clock 5 minutes ahead', { skew: 300 }],
    ['signed by another key', { signedWith: 'another key' }],
    ['signed with the secret of the client', { signedWith: 'the client secret' }],
    ['without a signature', { signedWith: 'none' }],
    ['of a subject with a line break', { claims: { sub: 'a\nb' } }],
    ['of a subject of 300 characters', { claims: { sub: 'x'.repeat(300) } }],
  ])('with an ID token %s is refused', async (_, forgery) => {
    const before = await sessions();
    provider.forgery = forgery;
    expect(await signIn()).toBe(page('invalid'));
    expect(await sessions()).toEqual(before);
  });

  it.each([-45, 45])('with a clock %i seconds off is accepted', async (skew) => {
    provider.forgery = { skew };
    expect(await signIn()).toBe(at('/'));
  });

  it.each([
    ['of 1 MiB', { status: 200, body: JSON.stringify({ x: 'x'.repeat(1_048_576) }) }, 'unavailable'],
    ['that is no JSON', { status: 200, body: '<html>', type: 'text/html' }, 'unavailable'],
    ['with the status 503', { status: 503, body: '{}' }, 'unavailable'],
    ['that refuses the code', { status: 400, body: '{"error":"invalid_grant"}' }, 'invalid'],
    ['that refuses the secret', { status: 401, body: '{"error":"invalid_client"}' }, 'misconfigured'],
  ])('of the token endpoint %s leads to the sign-in page', async (_, answer, problem) => {
    provider.tokenAnswer = answer;
    expect(await signIn()).toBe(page(problem));
  });
});

describe('a confirmation', () => {
  it('needs an authentication that is later than its beginning', async () => {
    const browser = await signedIn('carol');
    const confirm = async (auth_time: number | undefined) => {
      provider.forgery = { claims: { sub: 'carol', auth_time } };
      return signIn(browser, '?confirm=true');
    };
    const now = Math.floor(Date.now() / 1_000);
    expect(await confirm(now - 120)).toBe(page('not_confirmed'));
    expect(await confirm(undefined)).toBe(page('invalid'));
    const elevate = () => asBrowser(browser, service).post('/api/auth/elevate', {});
    expect(await elevate()).toMatchObject(refused(403, 'confirmation_missing'));
    expect(await confirm(now)).toBe(at('/'));
    expect((await elevate()).status).toBe(201);
  });

  it('needs a session', async () => {
    expect(await begin(new HttpBrowser(), '?confirm=true')).toBe(page('expired'));
  });
});

describe('a logout token', () => {
  const send = (token: string) =>
    new HttpBrowser().go(at('/api/auth/oidc/backchannel-logout'), { logout_token: token });
  const works = async (browser: HttpBrowser) =>
    (await asBrowser(browser, service).get('/api/auth/me')).status === 200;

  it('ends the session that it names, once', async () => {
    const [browser, other] = [await signedIn('dora', 's1'), await signedIn('dora', 's2')];
    const token = await provider.logoutToken({ sid: 's1', sub: 'dora' });
    expect((await send(token)).status).toBe(200);
    expect([await works(browser), await works(other)]).toEqual([false, true]);
    expect((await send(token)).status).toBe(400);
  });

  it('without a session ends all sessions of the subject at the provider, and no password session', async () => {
    const [first, second] = [await signedIn('emil', 'e1'), await signedIn('emil')];
    const [stranger, password] = [await signedIn('fred'), await asSession(service, 'Viewer')];
    expect((await send(await provider.logoutToken({ sub: 'emil' }))).status).toBe(200);
    expect([await works(first), await works(second), await works(stranger)]).toEqual([false, false, true]);
    expect((await password.get('/api/auth/me')).status).toBe(200);
  });

  it('keeps a sign-in on its way from a new session', async () => {
    const browser = new HttpBrowser();
    const answer = provider.answerTo(await begin(browser));
    provider.forgery = { claims: { sub: 'hugo', sid: 'h1', email: 'hugo@acme.example' } };
    expect((await send(await provider.logoutToken({ sid: 'h1' }))).status).toBe(200);
    expect((await comeBack(browser, answer)).location).toBe(page('expired'));
  });

  it('without a session keeps a sign-in of the same second from a new session', async () => {
    const iat = Math.floor(Date.now() / 1_000);
    const browser = new HttpBrowser();
    const answer = provider.answerTo(await begin(browser));
    provider.forgery = { claims: { sub: 'ida', iat, email: 'ida@acme.example' } };
    expect((await send(await provider.logoutToken({ sub: 'ida', iat }))).status).toBe(200);
    expect((await comeBack(browser, answer)).location).toBe(page('expired'));
  });

  const now = Math.floor(Date.now() / 1_000);
  it.each<[string, Record<string, unknown>, Omit<Forgery, 'claims'>]>([
    ['signed by another key', {}, { signedWith: 'another key' }],
    ['signed with the secret of the client', {}, { signedWith: 'the client secret' }],
    ['without a signature', {}, { signedWith: 'none' }],
    ['of another issuer', { iss: 'https://other.example' }, {}],
    ['for another client', { aud: 'another-client' }, {}],
    ['that has ended', { iat: now - 200, exp: now - 100 }, {}],
    ['that is 10 minutes old', { iat: now - 600 }, {}],
    ['of a clock 5 minutes ahead', {}, { skew: 300 }],
    ['without a time', { iat: undefined }, {}],
    ['without the event', { events: undefined }, {}],
    ['with another event', { events: { 'http://example.com/event': {} } }, {}],
    ['with a nonce', { nonce: 'x' }, {}],
    ['without an id', { jti: undefined }, {}],
    ['without a subject and a session', { sub: undefined }, {}],
    ['with a session that is no text', { sid: 7 }, {}],
  ])('%s is refused', async (_, claims, forgery) => {
    const browser = await signedIn('gina');
    const answer = await send(await provider.logoutToken({ sub: 'gina', ...claims }, forgery));
    expect([answer.status, (JSON.parse(answer.text) as { code: string }).code]).toEqual([
      400,
      'invalid_logout_token',
    ]);
    expect(await works(browser)).toBe(true);
  });

  it('that is an ID token, no token, or not a form is refused', async () => {
    for (const token of ['', 'x', 'a.b.c']) expect((await send(token)).status).toBe(400);
    const path = '/api/auth/oidc/backchannel-logout';
    expect(await anonymous(service).unchecked().post(path, { logout_token: 'x' })).toMatchObject(
      refused(415, 'unsupported_media_type'),
    );
    expect((await send('x'.repeat(40_000))).status).toBe(413);
  });

  it('with unknown keys does not make the service ask for keys each time', async () => {
    await signedIn('gina');
    const stolen = await provider.logoutToken({ sub: 'gina' });
    await provider.rotate();
    const asked = provider.keysAsked;
    for (let round = 0; round < 10; round += 1) {
      const [, payload, signature] = stolen.split('.');
      const header = Buffer.from(JSON.stringify({ alg: 'RS256', kid: `k${round}` })).toString('base64url');
      expect((await send(`${header}.${payload}.${signature}`)).status).toBe(400);
    }
    expect(provider.keysAsked - asked).toBeLessThanOrEqual(2);
    await signedIn('gina');
  });
});

describe('metadata of the provider', () => {
  /** The service reads metadata again that are older than 5 seconds. */
  const leadsTo = (problem: string) =>
    until(
      async () => (await new HttpBrowser().go(at('/api/auth/oidc/login'))).location === page(problem),
      20,
    );

  it('that name another issuer are refused, and a sign-in works again once they are right', async () => {
    provider.metadata = { issuer: 'https://other.example' };
    await leadsTo('misconfigured');
    provider.reset();
    expect(await signIn()).toBe(at('/'));
  });

  it('that lead to another address of this host are not followed', async () => {
    const inner = await new ForgingProvider().start();
    provider.metadata = { token_endpoint: `${inner.issuer}/token` };
    await until(async () => (await signIn()) === page('unavailable'), 20);
    inner.stop();
    expect(inner.codesTaken).toBe(0);
  });
});
