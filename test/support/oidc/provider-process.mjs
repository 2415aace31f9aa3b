// Runs oidc-provider, a certified OpenID provider, on loopback. The test configures it by messages with clients, accounts
// or new keys. Each message replaces the provider; its sessions, grants and registered clients stay, in one memory.
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';

const state = {
  clients: [],
  accounts: {},
  keys: [],
  tokenSeconds: 600,
  registration: false,
  documents: false,
  namesItself: true,
  rotation: undefined,
};
/** The ids of the clients that registered themselves. */
const registered = [];
/** How many tokens were granted since the process began. */
let granted = 0;
/** How many tokens clients have revoked. */
let revoked = 0;
/** The tokens that were granted, access tokens and refresh tokens. */
const issued = [];
/** How many of the next requests for tokens wait until a test lets them go, and those that wait. */
let holding = 0;
const held = [];
let handle = (request, response) => response.writeHead(503).end();

/** Each provider would have a memory of its own. */
const adapter = createMemoryAdapter();

async function newKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256', kid: crypto.randomUUID() };
}

const findAccount = (_, id) =>
  state.accounts[id] && { accountId: id, claims: () => ({ sub: id, ...state.accounts[id] }) };

/** Consent is given in advance: the tests are about who signs in. */
async function loadExistingGrant({ oidc }) {
  const grant = new oidc.provider.Grant({
    clientId: oidc.client.clientId,
    accountId: oidc.session.accountId,
  });
  grant.addOIDCScope('openid profile email groups offline_access');
  for (const resource of ['urn:tools', oidc.params.resource ?? []].flat())
    grant.addResourceScope(resource, 'tools');
  await grant.save();
  return grant;
}

/** Makes the provider one from before RFC 9207. */
async function hideIssuer(ctx, next) {
  await next();
  if (state.namesItself) return;
  if (ctx.body?.authorization_response_iss_parameter_supported)
    ctx.body = { ...ctx.body, authorization_response_iss_parameter_supported: undefined };
  const location = ctx.response.get('location');
  if (!URL.canParse(location)) return;
  const url = new URL(location);
  url.searchParams.delete('iss');
  ctx.set('location', url.href);
}

function build(issuer) {
  const provider = new Provider(issuer, {
    adapter,
    clients: state.clients,
    jwks: { keys: state.keys },
    findAccount,
    loadExistingGrant,
    cookies: { keys: ['only for tests'] },
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'], groups: ['groups'] },
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: true },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
      clientCredentials: { enabled: true },
      revocation: { enabled: true },
      registration: { enabled: state.registration },
      clientIdMetadataDocument: { enabled: state.documents, ack: 'draft-02' },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        // A token for a resource is a JWT, which that resource checks by itself.
        getResourceServerInfo: (_, resource) => ({
          scope: 'tools',
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: state.tokenSeconds,
        }),
      },
    },
    // Its own guard refuses loopback, where the service under test is.
    fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined }),
    scopes: ['openid', 'offline_access', 'tools'],
    ...(state.rotation !== undefined && { rotateRefreshToken: state.rotation }),
    ttl: {
      ...{ Session: 3600, Interaction: 600, Grant: 3600, IdToken: 600 },
      AccessToken: (_, { resourceServer }) => resourceServer?.accessTokenTTL ?? 600,
    },
  });
  provider.use(hideIssuer);
  provider.on('backchannel.error', (_, error) => console.error('back-channel logout failed', error.message));
  provider.on('grant.success', ({ body }) => {
    granted += 1;
    issued.push(...[body.access_token, body.refresh_token].filter(Boolean));
  });
  provider.on('refresh_token.destroyed', () => (revoked += 1));
  provider.on('registration_create.success', (_, client) => registered.push(client.clientId));
  provider.on('server_error', (_, error) => console.error(error));
  handle = provider.callback();
}

function take(request, response) {
  if (holding === 0 || request.url !== '/token') return handle(request, response);
  holding -= 1;
  held.push(() => handle(request, response));
}

const server = createServer(take);
server.listen(Number(process.env.PROVIDER_PORT), '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  process.on('message', async ({ rotate, hold, ...change }) => {
    if (hold !== undefined) holding = hold;
    if (hold === 0) for (const letGo of held.splice(0)) letGo();
    Object.assign(state, change);
    if (rotate || state.keys.length === 0) state.keys = [await newKey()];
    build(issuer);
    process.send({ granted, registered, issued, held: held.length, revoked });
  });
  process.on('disconnect', () => process.exit());
  process.send({ issuer });
});
