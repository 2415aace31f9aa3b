import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { canary } from '../../support/canary.js';
import { ProtectedServer } from '../../support/mcp-servers/protected.js';
import { ForgingProvider } from '../../support/oidc/forging-provider.js';
import { OidcProvider } from '../../support/oidc/provider.js';
import {
  anAdminAtBrowser,
  begunBy,
  callbackOf,
  pageAfter,
  signInTo,
  type PersonAtBrowser,
} from '../../support/oidc/server-sign-in.js';
import { useService } from '../../support/service.js';
import { LocalCatalog } from './local-catalog.js';
import { aServer, type Installed } from './servers.js';

/** An authorization server that does not name itself in its answers, and one of an attacker. */
const honest = await new OidcProvider().start();
await honest.change({ namesItself: false, registration: true, accounts: { ada: {} } });
const evil = await new ForgingProvider().start();
const [server, evilServer] = [
  await ProtectedServer.start('modern', honest.issuer),
  await ProtectedServer.start('modern', evil.issuer),
];
const catalog = new LocalCatalog().http('honest', server.url).http('evil', evilServer.url);
const hosts = [server.host, evilServer.host, ...[honest, evil].map(({ issuer }) => new URL(issuer).host)];
const service = useService({
  settings: { CATALOG_DIRS: catalog.folder, OUTBOUND_ALLOWED_HOSTS: hosts.join(',') },
});

let victim: PersonAtBrowser;
let installed: Installed;
let evilInstalled: Installed;
beforeAll(async () => {
  victim = await anAdminAtBrowser(service);
  installed = await aServer(service.owner, 'honest');
  evilInstalled = await aServer(service.owner, 'evil');
});
beforeEach(() => {
  evil.metadata = {
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    registration_endpoint: `${evil.issuer}/token`,
    authorization_response_iss_parameter_supported: undefined,
  };
  // The token endpoint of the double takes registrations as well.
  evil.tokenAnswer = {
    status: 201,
    body: JSON.stringify({
      ...{ client_id: randomUUID(), client_secret: canary(randomUUID()), redirect_uris: [shared()] },
      ...{ access_token: evil.accessToken, token_type: 'Bearer', expires_in: 60 },
    }),
  };
});
afterAll(async () => {
  await Promise.all([honest.stop(), server.close(), evilServer.close()]);
  evil.stop();
  catalog.remove();
});

const shared = () => `${service.baseUrl}/api/mcp/oauth/callback`;
const page = (of: Installed, outcome: string) => `/servers/${of.id}?signIn=${outcome}`;
const redirectUriIn = (url: string) => new URL(url).searchParams.get('redirect_uri')!;
const clientOf = async () => new URL(await begunBy(victim, installed)).searchParams.get('client_id');

/** The attacker asks the honest server for a code with the state and the challenge of the sign-in at the attacker. */
async function attack(change: (begunAtEvil: string) => Record<string, string> = () => ({})): Promise<string> {
  const [url, begunAtEvil] = [
    new URL(await begunBy(victim, installed)),
    await begunBy(victim, evilInstalled),
  ];
  for (const name of ['state', 'code_challenge'])
    url.searchParams.set(name, new URL(begunAtEvil).searchParams.get(name)!);
  for (const [name, value] of Object.entries(change(begunAtEvil))) url.searchParams.set(name, value);
  return callbackOf(victim.browser, url.href);
}

describe('an authorization server that does not name itself in its answers', () => {
  it('is signed in to at a redirect URI that it has alone', async () => {
    const [own, others] = [await begunBy(victim, installed), await begunBy(victim, evilInstalled)].map(
      redirectUriIn,
    );
    expect(own).toMatch(/^http.*\/api\/mcp\/oauth\/callback\/[\w-]{22}$/);
    expect(others).not.toBe(own);
    expect(await signInTo(victim, installed)).toBe(page(installed, 'done'));
  });

  it('gives no code for a sign-in that began at an attacker', async () => {
    const callback = await attack();
    expect(new URL(callback).searchParams.get('iss')).toBeNull();
    const taken = evil.codesTaken;
    expect(await pageAfter(victim.browser, callback)).toBe(page(evilInstalled, 'invalid'));
    expect(evil.codesTaken).toBe(taken);
    const [last] = await service.sql<{ error: string; server: string }>(
      `SELECT data ->> 'error' AS error, data ->> 'authorizationServer' AS server FROM journal WHERE type = 'mcp.credentials.sign_in_failed'
       ORDER BY position DESC LIMIT 1`,
    );
    expect(last).toEqual({ error: 'redirect_uri', server: evil.issuer });
  });

  it.each<[string, (begunAtEvil: string) => string]>([
    ['of the attacker', redirectUriIn],
    ['that clients share', shared],
  ])('refuses a request of the attacker with the redirect URI %s', async (_, uri) => {
    await expect(attack((url) => ({ redirect_uri: uri(url) }))).rejects.toThrow(/redirect_uri did not match/);
  });

  it('gives no code at the redirect URI that clients share', async () => {
    const callback = new URL(await callbackOf(victim.browser, await begunBy(victim, installed)));
    const atShared = shared() + callback.search;
    expect(await pageAfter(victim.browser, atShared)).toBe(page(installed, 'invalid'));
    expect(await pageAfter(victim.browser, callback.href)).toBe('/servers?signIn=expired');
  });

  it('registers another client for one that was registered with the shared redirect URI', async () => {
    const first = await clientOf();
    await service.sql('UPDATE oauth_clients SET redirect_uri = $1 WHERE issuer = $2', [
      shared(),
      honest.issuer,
    ]);
    expect(await clientOf()).not.toBe(first);
  });
});
