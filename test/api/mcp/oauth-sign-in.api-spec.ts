import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createdBy } from '../../support/builders.js';
import { asAgent } from '../../support/callers.js';
import { canary } from '../../support/canary.js';
import { ProtectedServer } from '../../support/mcp-servers/protected.js';
import { OidcProvider } from '../../support/oidc/provider.js';
import {
  anAdminAtBrowser,
  begunBy,
  callbackOf,
  pageAfter,
  signInPath,
  signInTo,
  type PersonAtBrowser,
} from '../../support/oidc/server-sign-in.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import * as wire from '../gateway/wire-call.js';
import { LocalCatalog } from './local-catalog.js';
import { aServer, callTool, grant, pathOf, verify, type Installed } from './servers.js';

const SECRET = canary(`client-secret-${randomUUID()}`);
const provider = await new OidcProvider().start();
await provider.change({});
const [modern, legacy] = [
  await ProtectedServer.start('modern', provider.issuer),
  await ProtectedServer.start('legacy', provider.issuer),
];
const variables = [{ name: 'CLIENT_ID' }, { name: 'CLIENT_SECRET', isSecret: true }];
const client = { clientId: '{env:CLIENT_ID}', clientSecret: '{env:CLIENT_SECRET}' };
const catalog = new LocalCatalog()
  .http('modern', modern.url, {
    variables,
    manifest: { oauth: { grant: 'authorization_code', ...client } },
  })
  .http('legacy', legacy.url)
  .http('port', 'http://127.0.0.1:{env:PORT}/mcp', {
    variables: [...variables, { name: 'PORT', isRequired: true }],
    manifest: { oauth: { grant: 'authorization_code', ...client } },
  })
  .http('by-header', modern.url, { headers: { authorization: 'Bearer x' } })
  .http('machine', modern.url, {
    variables,
    manifest: { oauth: { grant: 'client_credentials', ...client } },
  })
  .stdio('local', ['minimal-server.mjs']);
const service = useService({
  settings: {
    CATALOG_DIRS: catalog.folder,
    OUTBOUND_ALLOWED_HOSTS: [new URL(provider.issuer).host, modern.host, legacy.host].join(','),
  },
});
let admin: PersonAtBrowser;
const byHand = { envValues: { CLIENT_ID: 'by-hand', CLIENT_SECRET: SECRET } };
beforeAll(async () => {
  const redirect_uris = [`${service.baseUrl}/api/mcp/oauth/callback`];
  const clients = [
    {
      client_id: 'by-hand',
      client_secret: SECRET,
      redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
    },
  ];
  await provider.change({ clients, accounts: { ada: {} } });
  admin = await anAdminAtBrowser(service);
});
afterAll(async () => {
  await Promise.all([provider.stop(), modern.close(), legacy.close()]);
  catalog.remove();
});

const page = (server: Installed, outcome: string) => `/servers/${server.id}?signIn=${outcome}`;
const grantsOf = ({ id }: Installed) =>
  service.sql('SELECT issuer FROM oauth_grants WHERE credential_set_id = $1', [id]);
const echo = async (server: { id: string }) =>
  (await callTool(service.owner, server, 'echo', { value: 'hello' })).text;

describe('a sign-in by authorization code', () => {
  it('with a client that was registered by hand has PKCE, the resource, and stores grant and token', async () => {
    const server = await aServer(service.owner, 'modern', byHand);
    const url = new URL(await begunBy(admin, server));
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'by-hand',
      redirect_uri: `${service.baseUrl}/api/mcp/oauth/callback`,
      resource: modern.url,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as unknown,
      state: expect.stringMatching(/^[\w-]{43}$/) as unknown,
    });
    expect(await signInTo(admin, server)).toBe(page(server, 'done'));
    const stored = await service.sql(
      'SELECT g.issuer, g.granted_by, t.sealed IS NOT NULL AS token FROM oauth_grants g JOIN oauth_tokens t USING (credential_set_id) WHERE credential_set_id = $1',
      [server.id],
    );
    expect(stored).toEqual([{ issuer: provider.issuer, granted_by: admin.person.id, token: true }]);
    expect(await echo(server)).toContain('hello');
    const audit = await service.owner.get(`/api/audit?type=mcp.credentials.signed_in`);
    expect(audit.text).toContain(admin.person.name);
  });

  it('registers one client for two sets of a server', async () => {
    await provider.change({ registration: true });
    const server = await aServer(service.owner, 'legacy');
    await createdBy(service.owner, `${pathOf(server)}/credential-sets`, { name: 'team' });
    const before = provider.registered.length;
    expect(await signInTo(admin, server)).toBe(page(server, 'done'));
    expect(await signInTo(admin, server, { set: 'team', returnTo: '/servers?a=b' })).toBe(
      '/servers?a=b&signIn=done',
    );
    await provider.change({});
    expect(provider.registered.length - before).toBe(1);
    await until(async () => (await service.owner.get(`${pathOf(server)}/tools`)).text.includes('echo'));
    const agent = await asAgent(service);
    await grant(service.owner, server, agent, { credentialSet: 'team' });
    const call = { name: `${server.slug}__echo`, arguments: { value: 'hello' } };
    expect((await wire.modern(agent, 'tools/call', call)).text).toContain('hello');
  });

  it('with a client that the authorization server has lost registers another one when it begins again', async () => {
    await provider.change({ registration: true });
    const server = await aServer(service.owner, 'legacy');
    await service.sql('DELETE FROM oauth_clients');
    const clientOf = async () => new URL(await begunBy(admin, server)).searchParams.get('client_id');
    const [first, second] = [await clientOf(), await clientOf()];
    expect(second).toBe(first);
    await service.sql(`UPDATE oauth_clients SET created_at = now() - interval '11 minutes'`);
    expect(await clientOf()).not.toBe(first);
  });

  it('lets a server whose 401 asks for it work without a new installation', async () => {
    await provider.change({ registration: true });
    const server = await aServer(service.owner, 'legacy');
    expect((await verify(service.owner, server)).body.status).toBe('error');
    const states = async () => (await service.owner.get(`${pathOf(server)}/credential-sets`)).body;
    expect(await states()).toMatchObject([{ state: 'sign_in_needed' }]);
    expect(await signInTo(admin, server)).toBe(page(server, 'done'));
    await until(async () => (await service.owner.get<Installed>(pathOf(server))).body.status === 'enabled');
    expect(await echo(server)).toContain('hello');
    expect(await states()).toMatchObject([
      {
        state: 'ready',
        signIn: { authorizationServer: provider.issuer, signedInBy: admin.person.name },
      },
    ]);
  });
});

describe('a code', () => {
  const foreign = async (person: PersonAtBrowser, server: Installed) =>
    new URL(await callbackOf(person.browser, await begunBy(person, server))).searchParams.get('code')!;

  it('of the sign-in of an attacker is refused in that of another person, whose set gets no grant', async () => {
    const [server, attacked] = [
      await aServer(service.owner, 'modern', byHand),
      await aServer(service.owner, 'modern', byHand),
    ];
    const callback = new URL(await callbackOf(admin.browser, await begunBy(admin, attacked)));
    callback.searchParams.set('code', await foreign(await anAdminAtBrowser(service), server));
    expect(await pageAfter(admin.browser, callback.href)).toBe(page(attacked, 'refused'));
    expect(await grantsOf(attacked)).toEqual([]);
  });

  it('of another client is refused', async () => {
    await provider.change({ registration: true });
    const [server, attacked] = [
      await aServer(service.owner, 'legacy'),
      await aServer(service.owner, 'modern', byHand),
    ];
    const callback = new URL(await callbackOf(admin.browser, await begunBy(admin, attacked)));
    callback.searchParams.set('code', await foreign(admin, server));
    expect(await pageAfter(admin.browser, callback.href)).toBe(page(attacked, 'refused'));
    expect(await grantsOf(attacked)).toEqual([]);
  });

  it('is worth nothing once the server has another address', async () => {
    const given = { envValues: { ...byHand.envValues, PORT: new URL(modern.url).port } };
    const server = await aServer(service.owner, 'port', given);
    const callback = await callbackOf(admin.browser, await begunBy(admin, server));
    await service.owner.put(pathOf(server), { envValues: { PORT: new URL(legacy.url).port } });
    expect(await pageAfter(admin.browser, callback)).toBe(page(server, 'expired'));
    expect(await grantsOf(server)).toEqual([]);
  });
});

it('a token for another audience is refused by the server, and the set needs a sign-in', async () => {
  const server = await aServer(service.owner, 'modern', byHand);
  const resource = new URL('/', modern.url).href;
  const ofOrigin = { resource, authorization_servers: [provider.issuer] };
  modern.lies = { description: { resource }, ofOrigin };
  const known = modern.tokens.size;
  expect(await signInTo(admin, server)).toBe(page(server, 'done'));
  modern.lies = {};
  // The sign-in verifies the server.
  const sets = `${pathOf(server)}/credential-sets`;
  await until(async () => (await service.owner.get(sets)).text.includes('"sign_in_needed"'));
  const { body } = await verify(service.owner, server);
  expect(body).toMatchObject({ status: 'error', credentials: 'refused' });
  expect(modern.tokens.size).toBe(known);
});

describe('a sign-in is refused', () => {
  it.each([['local'], ['machine'], ['by-header']])('for %s, which offers none', async (entry) => {
    const given = entry === 'machine' ? byHand : {};
    const server = await aServer(service.owner, entry, given);
    expect(await admin.elevated.post(signInPath(server), {})).toMatchObject(
      refused(409, 'sign_in_not_offered'),
    );
  });

  it('without a client, with a sentence that names the redirect URI', async () => {
    await service.sql('DELETE FROM oauth_clients');
    await provider.change({ registration: false });
    const server = await aServer(service.owner, 'modern');
    const answer = await admin.elevated.post<{ detail: string }>(signInPath(server), {});
    expect(answer).toMatchObject(refused(502, 'sign_in_unavailable'));
    expect(answer.body.detail).toContain(`${service.baseUrl}/api/mcp/oauth/callback`);
  });
});

describe('a server to which no one can sign in', () => {
  const oauth = { grant: 'authorization_code' };
  const publish = async (version: string, named: object) => {
    catalog.http('later', modern.url, { variables, version, manifest: { oauth: { ...oauth, ...named } } });
    await service.owner.post('/api/mcp/catalog/reload');
  };
  const upgrade = async (server: Installed, query = '') =>
    (await service.owner.post<{ upgrade: { applied: boolean } }>(`${pathOf(server)}/upgrade${query}`)).body;

  it('is upgraded to an entry that names a client, and works after the sign-in', async () => {
    await service.sql('DELETE FROM oauth_clients');
    await provider.change({ registration: false });
    await publish('1.0.0', {});
    const server = await aServer(service.owner, 'later', byHand);
    expect(await admin.elevated.post(signInPath(server), {})).toMatchObject(
      refused(502, 'sign_in_unavailable'),
    );
    await publish('2.0.0', client);
    expect(await upgrade(server, '?dryRun=true')).toMatchObject({ upgrade: { applied: false } });
    expect(await upgrade(server)).toMatchObject({
      updateAvailable: false,
      upgrade: {
        ...{ applied: true, toVersion: '2.0.0', tools: [] },
        verification: { status: 'error', credentials: 'refused' },
      },
    });
    expect((await service.owner.get(`${pathOf(server)}/credential-sets`)).body).toMatchObject([
      { state: 'sign_in_needed' },
    ]);
    expect(await signInTo(admin, server)).toBe(page(server, 'done'));
    await until(async () => (await echo(server)).includes('hello'));
  });

  it('keeps its version where a sign-in has shown its tools and has ended', async () => {
    await publish('1.0.0', client);
    const server = await aServer(service.owner, 'later', byHand);
    expect(await signInTo(admin, server)).toBe(page(server, 'done'));
    await until(async () => (await echo(server)).includes('hello'));
    await service.owner.put(pathOf(server), { envValues: { CLIENT_ID: 'another' } });
    await publish('2.0.0', client);
    expect(await upgrade(server)).toMatchObject({ updateAvailable: true, upgrade: { applied: false } });
  });

  it('is not upgraded with credentials that were revoked', async () => {
    await publish('1.0.0', {});
    const server = await aServer(service.owner, 'later', byHand);
    await publish('2.0.0', client);
    await service.owner.post(`${pathOf(server)}/credential-sets/default/revoke`);
    expect(await service.owner.post(`${pathOf(server)}/upgrade`)).toMatchObject(
      refused(409, 'credentials_revoked'),
    );
  });
});

it('a refresh token is revoked at the authorization server when its set or server is removed', async () => {
  const server = await aServer(service.owner, 'modern', byHand);
  const sets = `${pathOf(server)}/credential-sets`;
  await createdBy(service.owner, sets, { name: 'team', ...byHand });
  for (const set of ['default', 'team'])
    expect(await signInTo(admin, server, { set })).toBe(page(server, 'done'));
  await provider.change({});
  const before = provider.revoked;
  const isRevoked = (count: number) =>
    until(async () => {
      await provider.change({});
      return provider.revoked === before + count;
    });
  await service.owner.delete(`${sets}/team`);
  await isRevoked(1);
  await service.owner.post(`${sets}/default/revoke`);
  await isRevoked(2);
  await service.owner.put(pathOf(server), byHand);
  expect(await signInTo(admin, server)).toBe(page(server, 'done'));
  expect((await service.owner.delete(pathOf(server))).status).toBe(204);
  await isRevoked(3);
});
