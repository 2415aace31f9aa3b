import { createHash, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { signedIn } from '../../support/callers.js';
import { canary } from '../../support/canary.js';
import { ProtectedServer } from '../../support/mcp-servers/protected.js';
import { listen } from '../../support/mcp-servers/remote.js';
import { HttpBrowser } from '../../support/oidc/browser.js';
import { ForgingProvider } from '../../support/oidc/forging-provider.js';
import {
  anAdminAtBrowser,
  atBrowser,
  begunBy,
  pageAfter,
  signInPath,
  type PersonAtBrowser,
} from '../../support/oidc/server-sign-in.js';
import { OtlpCollector } from '../../support/otlp-collector.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from './local-catalog.js';
import { aServer, type Installed } from './servers.js';

/** Two authorization servers: one that behaves unless a test says otherwise, and the attacker's. */
const [honest, evil] = [await new ForgingProvider().start(), await new ForgingProvider().start()];
const [server, evilServer, third] = [
  await ProtectedServer.start('modern', honest.issuer),
  await ProtectedServer.start('modern', evil.issuer),
  await ProtectedServer.start('modern', evil.issuer),
];
/** Counts the requests that reach an address to which no metadata may lead. */
const inner = await listen((_, response) => response.end('{}'));

const collector = await OtlpCollector.start();
const oauth = { grant: 'authorization_code', clientId: 'awp', clientSecret: '{env:CLIENT_SECRET}' };
const variables = [{ name: 'CLIENT_SECRET', isSecret: true }];
const catalog = new LocalCatalog()
  .http('honest', server.url, { variables, manifest: { oauth } })
  .http('evil', evilServer.url, { variables, manifest: { oauth } })
  .http('unknown', server.url);
const hosts = [
  server.host,
  evilServer.host,
  third.host,
  ...[honest, evil].map(({ issuer }) => new URL(issuer).host),
];
const service = useService({
  settings: {
    CATALOG_DIRS: catalog.folder,
    OUTBOUND_ALLOWED_HOSTS: hosts.join(','),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  },
});

const METADATA = {
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['client_secret_post'],
};
const token = (more: object = {}) => ({
  status: 200,
  body: JSON.stringify({ access_token: honest.accessToken, token_type: 'Bearer', expires_in: 60, ...more }),
});
function reset(): void {
  for (const provider of [honest, evil]) {
    provider.reset();
    provider.metadata = METADATA;
    provider.tokenAnswer = token();
  }
  server.lies = {};
}
reset();
afterEach(reset);

let victim: PersonAtBrowser;
let installed: Installed;
let evilInstalled: Installed;
beforeAll(async () => {
  victim = await anAdminAtBrowser(service);
  const envValues = { CLIENT_SECRET: canary(`client-secret-${randomUUID()}`) };
  installed = await aServer(service.owner, 'honest', { envValues });
  evilInstalled = await aServer(service.owner, 'evil', { envValues });
});
afterAll(async () => {
  await Promise.all([server, evilServer, third, inner].map((closed) => closed.close()));
  for (const provider of [honest, evil]) provider.stop();
  await collector.stop();
  catalog.remove();
});

/** The states of all sign-ins and the verifiers that were sent, which must be found nowhere. */
const secrets: string[] = [];
const taken = () => [honest.codesTaken, evil.codesTaken];
const page = (outcome: string, of = installed) => `/servers/${of.id}?signIn=${outcome}`;
const setsPath = () => `/api/mcp/installed/${installed.id}/credential-sets`;
const UNKNOWN = '/servers?signIn=expired';

async function begun(person = victim, of = installed): Promise<string> {
  const url = await begunBy(person, of);
  secrets.push(new URL(url).searchParams.get('state')!);
  return url;
}

/** Comes back with the query that the authorization server gives, changed by the test. */
async function comeBack(
  { browser }: { browser: HttpBrowser },
  query: string,
  change: Record<string, string | null> = {},
  callback = `${service.baseUrl}/api/mcp/oauth/callback`,
): Promise<string> {
  const url = new URL(callback + query);
  for (const [name, value] of Object.entries(change))
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  const led = await pageAfter(browser, url.href);
  secrets.push(honest.tokenRequest.get('code_verifier') ?? '', evil.tokenRequest.get('code_verifier') ?? '');
  return led;
}

describe('an answer of the authorization server', () => {
  it('that is right is exchanged with the verifier of its sign-in, the resource and the secret', async () => {
    const url = await begun();
    expect(await comeBack(victim, honest.answerTo(url))).toBe(page('done'));
    const challenge = new URL(url).searchParams.get('code_challenge');
    const verifier = honest.tokenRequest.get('code_verifier')!;
    expect(createHash('sha256').update(verifier).digest('base64url')).toBe(challenge);
    expect(honest.tokenRequest.get('resource')).toBe(server.url);
  });

  it.each<[string, string | null]>([
    ['of another issuer', evil.issuer],
    ['without the issuer, which it promises', null],
  ])('%s is refused, and no server gets the code', async (_, iss) => {
    const before = taken();
    const query = honest.answerTo(await begun());
    expect(await comeBack(victim, query, { iss })).toBe(page('invalid'));
    expect(taken()).toEqual(before);
  });

  it('that arrives at the address of one issuer, and not at that of its client, is refused', async () => {
    const before = taken();
    const query = honest.answerTo(await begun());
    const ofIssuer = `${service.baseUrl}/api/mcp/oauth/callback/${'x'.repeat(22)}`;
    expect(await comeBack(victim, query, {}, ofIssuer)).toBe(page('invalid'));
    expect(taken()).toEqual(before);
  });

  it('that another server gave for a sign-in at the attacker reaches neither', async () => {
    const before = taken();
    const state = new URL(await begun(victim, evilInstalled)).searchParams.get('state')!;
    const query = honest.answerTo(await begun());
    expect(await comeBack(victim, query, { state })).toBe(page('invalid', evilInstalled));
    expect(taken()).toEqual(before);
  });

  it('goes to the server with which the sign-in began, wherever the server points by then', async () => {
    const [code] = taken();
    const query = honest.answerTo(await begun());
    honest.metadata = { ...METADATA, token_endpoint: `${evil.issuer}/token` };
    server.lies = { description: { authorization_servers: [evil.issuer] } };
    expect(await comeBack(victim, query)).toBe(page('done'));
    expect(taken()).toEqual([code! + 1, evil.codesTaken]);
  });

  it.each([
    ['access_denied', 'cancelled'],
    ['invalid_scope', 'refused'],
    ['temporarily_unavailable', 'unavailable'],
    ['<script>alert(1)</script>', 'invalid'],
  ])('with the error %s leads to the page', async (error, outcome) => {
    const before = taken();
    const query = honest.answerTo(await begun());
    expect(await comeBack(victim, query, { error, code: null })).toBe(page(outcome));
    expect(taken()).toEqual(before);
  });

  it.each([
    ['that refuses the code', { status: 400, body: '{"error":"invalid_grant"}' }, 'refused'],
    ['with the status 503', { status: 503, body: '{}' }, 'unavailable'],
    ['that is no JSON', { status: 200, body: '<html>', type: 'text/html' }, 'unavailable'],
    ['of 1 MiB', token({ more: 'x'.repeat(1_048_576) }), 'unavailable'],
    ['with a token of another type', token({ token_type: 'mac' }), 'invalid'],
    ['with a token that needs a proof', token({ token_type: 'DPoP' }), 'invalid'],
    ['with a token of two lines', token({ access_token: 'a\nb' }), 'invalid'],
  ])('of the token endpoint %s stores nothing', async (_, answer, outcome) => {
    const grants = await storedGrants();
    const query = honest.answerTo(await begun());
    honest.tokenAnswer = answer;
    expect(await comeBack(victim, query)).toBe(page(outcome));
    expect(await storedGrants()).toEqual(grants);
  });
});

describe('a grant', () => {
  it.each([
    ['that lasts longer than time', { expires_in: 1e300 }, null],
    ['with a scope that no database stores', { scope: 'read \u0000 wri\u0000te' }, 'read'],
    ['with a scope without end', { scope: 'x'.repeat(100_000) }, null],
  ])('%s is stored within bounds', async (_, more, scope) => {
    const query = honest.answerTo(await begun());
    honest.tokenAnswer = token(more);
    expect(await comeBack(victim, query)).toBe(page('done'));
    const { body } = await service.owner.get<{ signIn: { scope: string | null } }[]>(setsPath());
    expect(body[0]!.signIn.scope).toBe(scope);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['revoked', () => service.owner.post(`${setsPath()}/default/revoke`)],
    [
      'given the secret of another client',
      () =>
        service.owner.put(`${setsPath()}/default`, {
          envValues: { CLIENT_SECRET: canary(`other-${randomUUID()}`) },
        }),
    ],
  ])('is not stored where the set was %s during the exchange', async (_, change) => {
    const query = honest.answerTo(await begun());
    honest.duringExchange = change;
    expect(await comeBack(victim, query)).toBe(page('expired'));
    expect(await grantsOf(installed)).toEqual([]);
  });
});

describe('a state', () => {
  it('is worth nothing in another browser, of another user or in another session, and is not used up', async () => {
    const query = honest.answerTo(await begun());
    const before = taken();
    const thieves = [
      { browser: new HttpBrowser() },
      await anAdminAtBrowser(service),
      await atBrowser(service, victim.person),
    ];
    for (const thief of thieves) expect(await comeBack(thief, query)).toBe(UNKNOWN);
    expect(taken()).toEqual(before);
    expect(await comeBack(victim, query)).toBe(page('done'));
  });

  it('of a sign-in that a key began without a session belongs to every session of its user, and to no other', async () => {
    const { body } = await service.owner.post<{ key: string }>(`/api/users/${victim.person.id}/keys`, {
      name: 'k',
    });
    const elevated = Object.assign(Object.create(victim.elevated) as typeof victim.elevated, {
      key: body.key,
    });
    const query = honest.answerTo(await begun({ ...victim, elevated }));
    expect(await comeBack(await anAdminAtBrowser(service), query)).toBe(UNKNOWN);
    expect(await comeBack(await atBrowser(service, victim.person), query)).toBe(page('done'));
  });

  it('is accepted once, and not after 10 minutes', async () => {
    const query = honest.answerTo(await begun());
    expect(await comeBack(victim, query)).toBe(page('done'));
    expect(await comeBack(victim, query)).toBe(UNKNOWN);
    const late = honest.answerTo(await begun());
    await service.sql(`UPDATE oauth_sign_ins SET created_at = now() - interval '10 minutes'`);
    expect(await comeBack(victim, late)).toBe(UNKNOWN);
  });

  it('may come back to another process, and is used up for all', async () => {
    const other = await service.second();
    const [name, value] = victim.browser.cookieOf(new URL(service.baseUrl).origin).split('=') as [
      string,
      string,
    ];
    const elsewhere = new HttpBrowser();
    elsewhere.setCookie(new URL(other.baseUrl).origin, name, value);
    const query = honest.answerTo(await begun());
    const callback = `${other.baseUrl}/api/mcp/oauth/callback${query}`;
    expect(await pageAfter(elsewhere, callback)).toBe(page('done'));
    expect(await comeBack(victim, query)).toBe(UNKNOWN);
  });

  it('that was invented, or is missing, leads to the servers', async () => {
    const query = honest.answerTo(await begun());
    expect(await comeBack(victim, query, { state: randomUUID() })).toBe(UNKNOWN);
    expect(await comeBack(victim, query, { state: null })).toBe(UNKNOWN);
  });

  it('is worth nothing once its session has ended, or its user is no longer an Admin', async () => {
    const person = await anAdminAtBrowser(service);
    const query = honest.answerTo(await begun(person));
    await service.owner.put(`/api/users/${person.person.id}`, { role: 'Editor' });
    expect(await comeBack(person, query)).toBe(page('forbidden'));
    await service.owner.put(`/api/users/${person.person.id}`, { role: 'Admin' });
    const again = await atBrowser(service, person.person);
    const other = honest.answerTo(await begun({ ...person, ...again }));
    await service.sql('DELETE FROM sessions WHERE user_id = $1', [person.person.id]);
    expect(await comeBack(again, other)).toBe(UNKNOWN);
    const session = await signedIn(service, person.person);
    const [name, value] = session.headers['cookie']!.split('=') as [string, string];
    again.browser.setCookie(new URL(service.baseUrl).origin, name, value);
    expect(await comeBack(again, other)).toBe(UNKNOWN);
  });

  it('is given up for newer ones beyond 20 of a credential set', async () => {
    const first = honest.answerTo(await begun());
    for (let count = 0; count < 20; count += 1) await begun();
    expect(await comeBack(victim, first)).toBe(UNKNOWN);
  });
});

describe('returnTo', () => {
  it.each(['https://evil.example', '//evil.example', '/\\evil.example', '/.//evil.example', 'servers'])(
    'is not %s',
    async (returnTo) => {
      const answer = await victim.elevated.post(signInPath(installed), { returnTo });
      expect(answer).toMatchObject(refused(400, 'validation_failed', 'returnTo'));
    },
  );
});

describe('a sign-in does not begin', () => {
  const refusedWith = async (why: RegExp, of = installed) => {
    const reached = inner.requests.length;
    const answer = await victim.elevated.post<{ detail: string }>(signInPath(of), {});
    expect(answer).toMatchObject(refused(502, 'sign_in_unavailable'));
    expect(answer.body.detail).toMatch(why);
    expect(inner.requests.length).toBe(reached);
  };

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['without PKCE by S256', { code_challenge_methods_supported: ['plain'] }, /S256/],
    ['without a word on PKCE', { code_challenge_methods_supported: undefined }, /S256/],
    ['with the metadata of another issuer', { issuer: evil.issuer }, /as another one/],
    ...['client_id', 'redirect_uri', 'state', 'request_uri', 'scope', 'resource'].map(
      (name): [string, Record<string, unknown>, RegExp] => [
        `with ${name} in the address of its page`,
        { authorization_endpoint: `${evil.issuer}/auth?audience=a&${name}=x` },
        new RegExp(`has ${name} in its authorization_endpoint`),
      ],
    ),
    ['with a page of plain HTTP', { authorization_endpoint: 'http://example.com/a' }, /not reached by HTTPS/],
    [
      'with a page that is a script',
      { authorization_endpoint: 'javascript:alert(1)' },
      /cannot be used|HTTPS/,
    ],
    ['with an inner token endpoint', { token_endpoint: inner.url }, /not reached by HTTPS/],
  ])('%s', async (_, metadata, why) => {
    honest.metadata = { ...METADATA, ...metadata };
    await refusedWith(why);
  });

  it('with a server that names an inner authorization server', async () => {
    server.lies = { description: { authorization_servers: [`http://${inner.host}`] } };
    await refusedWith(/not reached by HTTPS/);
  });

  it('with a server that describes another server, or refers to one', async () => {
    server.lies = { description: { resource: third.url } };
    await refusedWith(
      new RegExp(`as another server: resource is "${third.url}", and its address "${server.url}"`),
    );
    server.lies = { metadataUrl: `http://${third.host}/.well-known/oauth-protected-resource/mcp` };
    await refusedWith(/refers to another server/);
  });

  it('with a server that claims a wider resource, which does not say so itself', async () => {
    const wide = new URL('/', server.url).href;
    const authorization_servers = [honest.issuer];
    const claiming = (resource: string, ofOrigin: object | undefined, why: RegExp) => {
      server.lies = {
        description: { resource, authorization_servers },
        ...(ofOrigin && { ofOrigin: { ...ofOrigin } }),
      };
      return refusedWith(why);
    };
    await claiming(wide, undefined, /part of a wider resource, which does not say so/);
    await claiming(wide, { resource: wide, authorization_servers: [evil.issuer] }, /does not say so/);
    await claiming(wide, { resource: server.url, authorization_servers }, /does not say so/);
    const asked = { resource: `${server.url}?x=https://bank.example`, authorization_servers };
    await claiming(asked.resource, asked, /as another server/);
    const withUser = { resource: server.url.replace('://', '://u:p@'), authorization_servers };
    await claiming(withUser.resource, withUser, /as another server/);
  });

  it('with a server that describes no sign-in', async () => {
    server.lies = { description: { resource: 7 } };
    await refusedWith(/RFC 9728/);
  });

  it('where the service cannot register itself: at an inner address, at one that refuses, or with half an answer', async () => {
    const unknown = await aServer(service.owner, 'unknown');
    honest.metadata = { ...METADATA, registration_endpoint: `https://${inner.host}/register` };
    await refusedWith(/did not register this service/, unknown);
    honest.metadata = { ...METADATA, registration_endpoint: `${honest.issuer}/token` };
    honest.tokenAnswer = { status: 403, body: `{"error":"${honest.accessToken}"}` };
    await refusedWith(/HTTP 403/, unknown);
    honest.tokenAnswer = { status: 201, body: '{"client_id":"x","redirect_uris":["https://a.example"]}' };
    await refusedWith(/its answer cannot be used: token_endpoint_auth_method is client_secret_post/, unknown);
  });
});

describe('what real authorization servers answer', () => {
  it('signs in with null members, another status, a list of scopes and a registration that repeats nothing', async () => {
    const unknown = await aServer(service.owner, 'unknown');
    await service.sql('DELETE FROM oauth_clients');
    honest.metadata = {
      ...METADATA,
      registration_endpoint: `${honest.issuer}/token`,
      response_types_supported: null,
      scopes_supported: null,
      service_documentation: '',
    };
    server.lies = { description: { resource_name: null, bearer_methods_supported: null } };
    honest.tokenAnswer = {
      status: 200,
      body: JSON.stringify({
        ...{
          client_id: randomUUID(),
          client_secret: canary(randomUUID()),
          redirect_uris: null,
          contacts: null,
        },
        ...{ client_secret_expires_at: null, token_endpoint_auth_method: null },
      }),
    };
    const url = await begun(victim, unknown);
    honest.tokenAnswer = token({ refresh_token: null, expires_in: null, scope: ['read', 'write'] });
    honest.tokenAnswer.status = 201;
    const callback = new URL(url).searchParams.get('redirect_uri')!;
    expect(await comeBack(victim, honest.answerTo(url), {}, callback)).toBe(page('done', unknown));
    expect(honest.tokenRequest.get('client_secret')).not.toBeNull();
    const { body } = await service.owner.get<{ signIn: object }[]>(
      `/api/mcp/installed/${unknown.id}/credential-sets`,
    );
    expect(body[0]!.signIn).toMatchObject({ scope: 'read write' });
  });

  it('refuses an error that comes with 200', async () => {
    const query = honest.answerTo(await begun());
    honest.tokenAnswer = { status: 200, body: '{"error":"invalid_grant"}' };
    expect(await comeBack(victim, query)).toBe(page('refused'));
  });
});

describe('a client that the service has registered', () => {
  /** The token endpoint of the double takes registrations here. */
  const registration = (more: object = {}) => ({
    status: 201,
    body: JSON.stringify({
      client_id: randomUUID(),
      client_secret: canary(randomUUID()),
      redirect_uris: [`${service.baseUrl}/api/mcp/oauth/callback`],
      ...more,
    }),
  });
  const registered = () => service.sql('SELECT issuer FROM oauth_clients');
  let unknown: Installed;
  beforeAll(async () => {
    unknown = await aServer(service.owner, 'unknown');
  });

  it('is forgotten when its server no longer knows it, and registered again', async () => {
    honest.metadata = { ...METADATA, registration_endpoint: `${honest.issuer}/token` };
    honest.tokenAnswer = registration();
    const url = await begun(victim, unknown);
    expect(await registered()).toHaveLength(1);
    honest.tokenAnswer = { status: 401, body: '{"error":"invalid_client"}' };
    const callback = new URL(url).searchParams.get('redirect_uri')!;
    expect(await comeBack(victim, honest.answerTo(url), {}, callback)).toBe(page('refused', unknown));
    expect(await registered()).toEqual([]);
    honest.tokenAnswer = registration();
    const again = await begun(victim, unknown);
    expect(clientOf(again)).not.toBe(clientOf(url));
  });

  it('is registered again when its secret ends', async () => {
    honest.metadata = { ...METADATA, registration_endpoint: `${honest.issuer}/token` };
    await service.sql('DELETE FROM oauth_clients');
    const soon = Math.floor(Date.now() / 1_000) + 60;
    honest.tokenAnswer = registration({ client_secret_expires_at: soon });
    const first = clientOf(await begun(victim, unknown));
    honest.tokenAnswer = registration({ client_secret_expires_at: soon + 86_400 });
    const second = clientOf(await begun(victim, unknown));
    honest.tokenAnswer = registration();
    expect(second).not.toBe(first);
    expect(clientOf(await begun(victim, unknown))).toBe(second);
  });
});

it('an inner token endpoint that is named by HTTPS gets no code', async () => {
  honest.metadata = { ...METADATA, token_endpoint: `https://${inner.host}/token` };
  const query = honest.answerTo(await begun());
  expect(await comeBack(victim, query)).toBe(page('unavailable'));
  expect(inner.requests).toEqual([]);
});

it('the scope of a challenge is limited in form and length', async () => {
  server.lies = { scope: `a b\u00e9 ${'x'.repeat(300)} c` };
  expect(new URL(await begun()).searchParams.get('scope')).toBe('a c');
});

it('states, verifiers and codes are in no log, trace, journal or table', async () => {
  await until(() => collector.named('GET /api/mcp/oauth/callback').length > 0);
  const written = [...new Set(secrets)].filter((secret) => secret !== '');
  expect(written.length).toBeGreaterThan(30);
  const journal = await service.sql<{ row: string }>('SELECT j::text AS row FROM journal j');
  const rows = await service.sql<{ row: string }>('SELECT s::text AS row FROM oauth_sign_ins s');
  const all = [service.log, collector.text, ...[...journal, ...rows].map(({ row }) => row)].join('\n');
  expect(all).toContain('mcp.credentials.sign_in_failed');
  expect(written.filter((secret) => all.includes(secret))).toEqual([]);
  expect(rows.length).toBeGreaterThan(0);
  expect(all).not.toContain('codeVerifier');
});

const clientOf = (url: string) => new URL(url).searchParams.get('client_id');
const grantsOf = ({ id }: Installed) =>
  service.sql('SELECT version FROM oauth_grants WHERE credential_set_id = $1', [id]);
const storedGrants = () => service.sql('SELECT credential_set_id, version FROM oauth_grants ORDER BY 1');
