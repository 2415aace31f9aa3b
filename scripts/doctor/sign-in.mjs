import { ok, problem } from './verdict.mjs';

const PATIENCE_MS = 5_000;
/** No provider issues this one. */
const CODE = 'npm-run-doctor';
const REGISTER = 'register it at the provider as a redirect URI of the client, or correct PUBLIC_URL';

/**
 * Asks the OpenID provider what a sign-in would: its metadata, whether it knows the client and its secret, and whether it
 * accepts the redirect URI. Nobody signs in, and the code that is exchanged does not exist.
 */
export async function checkSignIn(settings) {
  if (!settings.oidc) return ok('with passwords');
  const { OidcDiscoveryClient, OidcHttpService } =
    await import('../../dist/src/platform/oidc/oidc-discovery.client.js');
  const { refusalOf } = await import('../../dist/src/platform/oidc/sign-in-refusal-reasons.js');
  const http = new OidcHttpService(settings);
  try {
    const { configuration } = await new OidcDiscoveryClient(settings, http).provider();
    return await judge(settings, configuration);
  } catch (error) {
    return unusable(settings.oidc, refusalOf(error));
  } finally {
    await http.beforeApplicationShutdown();
  }
}

function unusable({ issuer }, { reason, about }) {
  if (about.error === 'issuer_differs')
    return problem(
      `the provider at ${issuer} calls itself by another name`,
      'set OIDC_ISSUER to the issuer in its /.well-known/openid-configuration, letter by letter',
    );
  const why = about.error ?? reason;
  return problem(
    `the provider at ${issuer} gives no usable answer (${why})`,
    'bring the provider back, or set OIDC_ISSUER to its issuer; until then only passwords work',
  );
}

async function judge(settings, configuration) {
  const { clientId, issuer } = settings.oidc;
  const redirectUri = `${addressOf(settings)}/api/auth/oidc/callback`;
  const refused = await clientRefusal(configuration, redirectUri);
  if (refused)
    return problem(
      `the provider at ${issuer} refuses the client ${clientId} or its secret (${refused})`,
      'set OIDC_CLIENT_ID and OIDC_CLIENT_SECRET to those of the client at the provider',
    );
  const answer = await authorizationRefusal(settings, configuration, redirectUri);
  if (answer === null) return ok(`with the accounts of ${issuer}`);
  return answer.error
    ? problem(
        `the provider at ${issuer} refuses sign-ins of the client ${clientId} (${answer.error})`,
        'allow the authorization code flow with PKCE and the scopes of OIDC_SCOPES for the client at the provider',
      )
    : problem(
        `the provider at ${issuer} refuses the redirect URI ${redirectUri} (${answer.status})`,
        REGISTER,
      );
}

/** As `PublicAddress` has it once the service listens. */
function addressOf({ publicUrl, tls, host, port }) {
  return publicUrl ?? `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Returns why the token endpoint refuses the client, or null. A provider checks the client before the code. */
async function clientRefusal(configuration, redirectUri) {
  const { genericGrantRequest, randomPKCECodeVerifier } = await import('openid-client');
  const { isClientRefused } = await import('../../dist/src/platform/oidc/sign-in-refusal-reasons.js');
  try {
    await genericGrantRequest(configuration, 'authorization_code', {
      code: CODE,
      redirect_uri: redirectUri,
      code_verifier: randomPKCECodeVerifier(),
    });
    return null;
  } catch (error) {
    return isClientRefused(error) ? (error.error ?? error.status) : null;
  }
}

/**
 * Returns how the provider refuses to begin a sign-in, or null. It must not send a browser to an address that it does not know,
 * so that it answers with a page of its own; any other refusal goes to the redirect URI.
 */
async function authorizationRefusal({ oidc }, configuration, redirectUri) {
  const library = await import('openid-client');
  const url = library.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: oidc.scopes,
    state: library.randomState(),
    nonce: library.randomNonce(),
    code_challenge: await library.calculatePKCECodeChallenge(library.randomPKCECodeVerifier()),
    code_challenge_method: 'S256',
  });
  const response = await asBrowser(url.href);
  if (response === null) return null;
  await response.body?.cancel();
  const target = response.headers.get('location') ?? '';
  if (target.startsWith(redirectUri))
    return { error: new URL(target).searchParams.get('error') ?? 'no reason' };
  return response.status >= 400 ? { status: response.status } : null;
}

/**
 * Goes there as the browser of a person does, which a provider sends on to its own pages. Returns null where this host does not
 * reach the address: the service itself never goes there.
 */
async function asBrowser(url) {
  try {
    return await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch {
    return null;
  }
}
