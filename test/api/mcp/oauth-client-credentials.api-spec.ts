import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { createdBy, someName } from '../../support/builders.js';
import { asAgent } from '../../support/callers.js';
import { canary } from '../../support/canary.js';
import { ProtectedServer } from '../../support/mcp-servers/protected.js';
import { listen } from '../../support/mcp-servers/remote.js';
import { OidcProvider } from '../../support/oidc/provider.js';
import { useService, type Service } from '../../support/service.js';
import * as wire from '../gateway/wire-call.js';
import { LocalCatalog } from './local-catalog.js';
import { aServer, aVerifiedServer, callTool, grant, pathOf, tryOut, verify } from './servers.js';

const SECRET = canary(`client-secret-${randomUUID()}`);
const key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
/** The canary stands in the id of the key: nothing else in a key can be chosen. */
const kid = canary(`key-${randomUUID()}`);
const jwk = JSON.stringify({ ...key.privateKey.export({ format: 'jwk' }), kid });

const provider = await new OidcProvider().start();
const machine = { grant_types: ['client_credentials'], redirect_uris: [], response_types: [] };
const clients = [
  { client_id: 'by-secret', client_secret: SECRET, ...machine },
  { client_id: 'other', client_secret: SECRET, ...machine },
  {
    client_id: 'by-key',
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'ES256' }] },
    ...machine,
  },
];
await provider.change({ clients });
const [modern, legacy] = [
  await ProtectedServer.start('modern', provider.issuer),
  await ProtectedServer.start('legacy', provider.issuer),
];
const eras = { modern, legacy };
/** Counts the requests that reach an address which no server may lead to. */
const inner = await listen((_, response) => response.end('{}'));

const variables = [
  { name: 'CLIENT_ID', isRequired: true },
  { name: 'CLIENT_SECRET', isRequired: true, isSecret: true },
];
const catalog = new LocalCatalog();
for (const [era, { url }] of Object.entries(eras)) {
  const clientId = '{env:CLIENT_ID}';
  const credential = '{env:CLIENT_SECRET}';
  const oauth = { grant: 'client_credentials', clientId, scope: 'tools' };
  catalog.http(`${era}-secret`, url, {
    variables,
    manifest: { oauth: { ...oauth, clientSecret: credential } },
  });
  catalog.http(`${era}-pinned`, url, {
    variables,
    manifest: { oauth: { ...oauth, clientSecret: credential, issuer: provider.issuer } },
  });
  catalog.http(`${era}-key`, url, { variables, manifest: { oauth: { ...oauth, privateKey: credential } } });
}
const service = useService({
  settings: {
    CATALOG_DIRS: catalog.folder,
    OUTBOUND_ALLOWED_HOSTS: [new URL(provider.issuer).host, modern.host, legacy.host].join(','),
  },
});
afterAll(async () => {
  await Promise.all([provider.stop(), modern.close(), legacy.close(), inner.close()]);
  catalog.remove();
});
afterEach(() => {
  modern.lies = {};
  legacy.lies = {};
});

let second: Promise<Service> | null = null;
/** Another process of the service. */
const theOther = () => (second ??= service.second());

const bySecret = (id = 'by-secret') => ({ envValues: { CLIENT_ID: id, CLIENT_SECRET: SECRET } });
const byKey = { envValues: { CLIENT_ID: 'by-key', CLIENT_SECRET: jwk } };
/** Tokens expire after seconds, which the test has to wait for. */
const itInFull = process.env['TEST_SIZE'] === 'full' ? it : it.skip;
const granted = () => provider.change({});
const echo = (at: Service, server: { id: string }) => callTool(at.owner, server, 'echo', { value: 'hello' });

describe.each(['modern', 'legacy'] as const)('client credentials at a server of the %s era', (era) => {
  it.each([
    ['a secret', 'secret', bySecret(), 'by-secret'],
    ['a private key', 'key', byKey, 'by-key'],
  ])('give tools to a client with %s', async (_, kind, fields, client) => {
    const server = await aVerifiedServer(service.owner, `${era}-${kind}`, fields);
    expect(await tryOut(service.owner, server, 'echo', { value: 'hello' })).toBe('hello');
    expect([...eras[era].tokens.values()]).toContain(client);
  });

  it('ask for one token when many calls of two processes are refused at once', async () => {
    const server = await aVerifiedServer(service.owner, `${era}-secret`, bySecret());
    const other = await theOther();
    const all = async () =>
      (await Promise.all(Array.from({ length: 64 }, (_, at) => echo(at % 2 ? service : other, server)))).map(
        ({ body }) => body.content?.[0]?.text,
      );
    expect(new Set(await all())).toEqual(new Set(['hello']));
    const before = await granted();
    for (const id of eras[era].tokens.keys()) eras[era].revoked.add(id);
    expect(new Set(await all())).toEqual(new Set(['hello']));
    expect((await granted()) - before).toBe(1);
  });
});

describe('client credentials', () => {
  it('belong to their set: each has tokens of its own client', async () => {
    const server = await aVerifiedServer(service.owner, 'modern-secret', bySecret());
    const team = { name: 'team', ...bySecret('other') };
    await createdBy(service.owner, `${pathOf(server)}/credential-sets`, team);
    const clientOf = async (credentialSet: string) => {
      const agent = await asAgent(service);
      await grant(service.owner, server, agent, { credentialSet });
      const known = new Set(modern.tokens.keys());
      const call = { name: `${server.slug}__echo`, arguments: { value: 'hello' } };
      const { text } = await wire.modern(agent, 'tools/call', call);
      expect(text).toContain('"text":"hello"');
      return [...modern.tokens].flatMap(([id, client]) => (known.has(id) ? [] : [client]));
    };
    expect(await clientOf('team')).toEqual(['other']);
    // The token of the set `default` was requested at the verification.
    expect(await clientOf('default')).toEqual([]);
  });

  itInFull('are asked for again before a token expires, once for all processes', async () => {
    await provider.change({ tokenSeconds: 4 });
    const server = await aVerifiedServer(service.owner, 'modern-key', byKey);
    const other = await theOther();
    const before = await granted();
    const known = new Set(modern.sent);
    const fresh = () => [...modern.sent].filter((id) => !known.has(id)).length;
    while (fresh() < 3) await Promise.all([service, other, service, other].map((at) => echo(at, server)));
    expect((await granted()) - before).toBe(fresh());
    await provider.change({ tokenSeconds: 600 });
  });

  it('that are wrong are named as such, and new ones work without a new installation', async () => {
    const server = await aServer(service.owner, 'modern-secret', {
      envValues: { CLIENT_ID: 'by-secret', CLIENT_SECRET: canary('wrong') },
    });
    expect((await verify(service.owner, server)).body).toMatchObject({
      status: 'error',
      details: expect.stringMatching(/authorization server .* answered invalid_client/),
    });
    await service.owner.put(pathOf(server), bySecret());
    expect((await verify(service.owner, server)).body).toMatchObject({ status: 'ok' });
  });

  it('are not shown by a private key that cannot be read', async () => {
    const CLIENT_SECRET = canary(`no-key-${randomUUID()}`);
    const server = await aServer(service.owner, 'modern-key', {
      envValues: { CLIENT_ID: 'by-key', CLIENT_SECRET },
    });
    const { body } = await verify(service.owner, server);
    expect(body.details).toMatch(/private key cannot be read/);
  });

  it('are masked with their tokens wherever the server sends them back', async () => {
    const server = await aVerifiedServer(service.owner, 'modern-secret', bySecret());
    const token = modern.texts.at(-1)!;
    const { text } = await callTool(service.owner, server, 'echo', { value: `it is ${token}` });
    expect(text).not.toContain(token);
    expect(service.log).not.toContain(token);
  });
});

describe('a server that lies about its authorization server', () => {
  const refused = async (lies: ProtectedServer['lies'], message: RegExp) => {
    modern.lies = lies;
    const before = await granted();
    const reached = inner.requests.length;
    const server = await aServer(service.owner, 'modern-secret', { ...bySecret(), name: someName('liar') });
    const { body } = await verify(service.owner, server);
    expect(body).toMatchObject({ status: 'error', details: expect.stringMatching(message) });
    expect([await granted(), inner.requests.length]).toEqual([before, reached]);
  };

  it('gets no token when it describes another server', () =>
    refused({ description: { resource: legacy.url } }, /as another server/));

  it('gets no token when its challenge names another server', () =>
    refused(
      { metadataUrl: `http://${legacy.host}/.well-known/oauth-protected-resource/mcp` },
      /refers to another server/,
    ));

  it('does not get the credentials to another authorization server than that of its entry', async () => {
    const server = await aVerifiedServer(service.owner, 'modern-pinned', bySecret());
    modern.lies = { description: { authorization_servers: [`http://${legacy.host}`] } };
    for (const id of modern.tokens.keys()) modern.revoked.add(id);
    const before = await granted();
    expect((await echo(service, server)).body.content?.[0]?.text).toMatch(
      /another authorization server than its entry/,
    );
    expect(await granted()).toBe(before);
    modern.lies = { description: { authorization_servers: [`http://${legacy.host}`, provider.issuer] } };
    expect(await tryOut(service.owner, server, 'echo', { value: 'hello' })).toBe('hello');
  });

  it('cannot lead a request to an inner address', () =>
    refused({ description: { authorization_servers: [`http://${inner.host}`] } }, /not reached by HTTPS/));

  it('cannot lead a request elsewhere by a redirect', () =>
    refused({ redirect: `http://${inner.host}/` }, /redirects/));

  it('gets no token of an authorization server that says it is another one', () =>
    refused(
      { description: { authorization_servers: [`${provider.issuer}/other`] } },
      /describes itself nowhere|as another one/,
    ));
});
