import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import { Injectable } from '@nestjs/common';
import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client';
import { basicCredentials, lenient } from '../../platform/http/oauth-answers.js';
import type { ClientCredentialsOauth } from '../catalog/catalog-entry.js';
import { fillTemplate } from '../catalog/variable-values-and-placeholders.js';
import { McpUnavailable } from '../processes/connection/mcp-errors.js';
import { AuthorizationServersClient, type TokenIssuer } from './authorization-servers.client.js';
import type { ClientIdentity, StoredGrant } from './oauth-sign-in-grant-and-client.repository.js';
import { refusalCodeOf, signInFailed } from './sign-in-outcomes-and-errors.js';

/** The ways to authenticate at a token endpoint that the service knows, the first one that is offered is used. Form data is encoded alike everywhere. */
export const clientMethods = [
  'client_secret_post',
  'client_secret_basic',
  'none',
] as const satisfies ClientIdentity['method'][];

/** Returns the first way that the authorization server offers. Without a list it takes HTTP Basic (RFC 8414). */
export function clientMethodAt({
  token_endpoint_auth_methods_supported: offered = ['client_secret_basic'],
}: AuthorizationServerMetadata): ClientIdentity['method'] {
  return clientMethods.find((method) => offered.includes(method)) ?? 'client_secret_basic';
}

/** Returns how a client with a secret sends it. */
export function secretMethodAt(metadata: AuthorizationServerMetadata): ClientIdentity['method'] {
  return clientMethodAt(metadata) === 'client_secret_post' ? 'client_secret_post' : 'client_secret_basic';
}

/**
 * Returns the configuration with which openid-client sends requests of this client, by the guarded fetch only.
 * @param onStatus gets the status of each answer, which some errors of the library do not have
 */
export async function configurationOf(
  { metadata, client }: Pick<StoredGrant, 'metadata' | 'client'>,
  servers: AuthorizationServersClient,
  onStatus?: (status: number) => void,
): Promise<Configuration> {
  const library = await import('openid-client');
  const authentication = authenticationOf(client, library);
  return configured(metadata, client.id, authentication, servers.fetchPatiently, onStatus);
}

async function configured(
  metadata: AuthorizationServerMetadata,
  clientId: string,
  authentication: ClientAuth,
  send: AuthorizationServersClient['fetch'],
  onStatus: (status: number) => void = () => undefined,
): Promise<Configuration> {
  const library = await import('openid-client');
  const config = new library.Configuration(metadata as ServerMetadata, clientId, {}, authentication);
  const fetch = lenient(send, 'token');
  config[library.customFetch] = async (url, options) => {
    const response = await fetch(url, options as RequestInit);
    onStatus(response.status);
    return response;
  };
  // Which hosts may be reached without TLS is decided by the fetch.
  library.allowInsecureRequests(config);
  return config;
}

function authenticationOf(
  { method, secret }: Pick<ClientIdentity, 'method' | 'secret'>,
  { ClientSecretPost, None }: typeof import('openid-client'),
): ClientAuth {
  if (method === 'none' || secret === null) return None();
  return method === 'client_secret_post' ? ClientSecretPost(secret) : secretInHeader(secret);
}

/** Authenticates a client by HTTP Basic. */
export function secretInHeader(secret: string): ClientAuth {
  return (_server, client, _body, headers) =>
    headers.set('authorization', basicCredentials(client.client_id, secret));
}

/** An access token that lasts as long as its server said. */
export interface IssuedToken {
  accessToken: string;
  lifetimeSeconds: number;
}

/** The members that count of an answer of a token endpoint (RFC 6749 §5.1). */
interface TokenAnswer {
  access_token: string;
  token_type: string;
  expires_in?: number;
}

/** For a server that does not say how long its tokens last. */
const DEFAULT_LIFETIME_SECONDS = 3_600;
/** A server may write any number. After this time a token is replaced whatever its server said. */
const LONGEST_LIFETIME_SECONDS = 30 * 24 * 3_600;
const LONGEST_TOKEN = 16_384;
/** What may stand in a header Authorization. */
const VISIBLE = /^[\x21-\x7e]+$/;

/** Returns the token of an answer, or null where no request could carry it as a bearer token. */
export function issuedTokenIn(answer: TokenAnswer): IssuedToken | null {
  const { access_token: accessToken, token_type: type, expires_in: seconds } = answer;
  if (type !== 'bearer' || accessToken.length > LONGEST_TOKEN || !VISIBLE.test(accessToken)) return null;
  const lifetimeSeconds = Math.min(seconds ?? DEFAULT_LIFETIME_SECONDS, LONGEST_LIFETIME_SECONDS);
  return { accessToken, lifetimeSeconds };
}

/** A new access token, and the refresh token that replaces the one that was used. */
export interface RefreshedGrant extends IssuedToken {
  /** That of the request where the authorization server does not rotate them. */
  refreshToken: string;
}

/** The authorization server will not accept this refresh token, or this client, any more. `code` is of RFC 6749, or an HTTP status. */
export class RefreshRefused extends Error {
  constructor(readonly code: string) {
    super(`The authorization server answered ${code}.`);
    this.name = 'RefreshRefused';
  }
}

/** Statuses with which a server says that the same request may work later. */
const LATER = new Set([408, 429]);

function noAnswer({ metadata: { issuer } }: StoredGrant, code: string | null): McpUnavailable {
  const { host } = new URL(issuer);
  const what = code === null ? 'gave no usable answer' : `answered ${code}`;
  return new McpUnavailable(
    'unreachable',
    `The authorization server ${host} of this server ${what}. Try again later.`,
    30,
  );
}

/** The signature of each kind of key (RFC 7518, RFC 8037). */
const ALGORITHMS: Record<string, string> = {
  rsa: 'RS256',
  ed25519: 'EdDSA',
  'ec prime256v1': 'ES256',
  'ec secp384r1': 'ES384',
};

/**
 * Returns the authentication of a client by a signed assertion (`private_key_jwt`, RFC 7523).
 * @param text a private key in PEM form, or a JSON Web Key, whose `kid` is sent
 * @throws {McpUnavailable} when it is not a private key of a supported kind; the sentence says nothing about the key
 */
export async function privateKeyJwt(text: string): Promise<ClientAuth> {
  const { key, kid } = parsed(text);
  const kind = [key.asymmetricKeyType, key.asymmetricKeyDetails?.namedCurve].filter(Boolean).join(' ');
  const algorithm = ALGORITHMS[kind];
  if (!algorithm)
    throw signInFailed('Its private key is not of a supported kind (RSA, P-256, P-384, Ed25519).');
  const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  const [{ importPKCS8 }, { PrivateKeyJwt }] = await Promise.all([import('jose'), import('openid-client')]);
  return PrivateKeyJwt({ key: await importPKCS8(pem, algorithm), kid });
}

function parsed(text: string): { key: KeyObject; kid: string | undefined } {
  try {
    if (!text.trimStart().startsWith('{')) return { key: createPrivateKey(text), kid: undefined };
    const jwk = JSON.parse(text) as Record<string, unknown>;
    const key = createPrivateKey({ key: jwk, format: 'jwk' });
    return { key, kid: typeof jwk['kid'] === 'string' ? jwk['kid'] : undefined };
  } catch {
    // The error of the library may contain a part of the key.
    throw signInFailed('Its private key cannot be read: give a key in PEM form, or a JSON Web Key.');
  }
}

/** Who asks for a token, and for which server. */
export interface TokenRequest {
  serverUrl: string;
  oauth: ClientCredentialsOauth;
  /** Values of the variables that the templates of `oauth` use. */
  values: Readonly<Record<string, string>>;
}

/** Requests access tokens at the token endpoints of authorization servers, each for one resource (RFC 8707). */
@Injectable()
export class TokenEndpointClient {
  constructor(private readonly servers: AuthorizationServersClient) {}

  /**
   * Requests the next access token of a sign-in (RFC 6749 §6).
   * @throws {RefreshRefused} when a person has to sign in again
   * @throws {McpUnavailable} when the same refresh token may work later
   */
  async refresh(grant: StoredGrant, refreshToken: string): Promise<RefreshedGrant> {
    const { refreshTokenGrant } = await import('openid-client');
    let status = 0;
    const config = await configurationOf(grant, this.servers, (answered) => (status = answered));
    try {
      const answer = await refreshTokenGrant(config, refreshToken, { resource: grant.resource });
      const token = issuedTokenIn(answer);
      if (!token) throw noAnswer(grant, null);
      return { ...token, refreshToken: answer.refresh_token ?? refreshToken };
    } catch (error) {
      if (error instanceof McpUnavailable) throw error;
      const code = refusalCodeOf(error);
      const isRefused = status >= 400 && status < 500 && !LATER.has(status);
      if (isRefused) throw new RefreshRefused(code ?? `HTTP ${status}`);
      throw noAnswer(grant, code);
    }
  }

  /**
   * Requests a token with the credentials of a client (RFC 6749 §4.4).
   * @throws {McpUnavailable} with a sentence for an agent when there is no token
   */
  async request(request: TokenRequest): Promise<IssuedToken> {
    const issuer = await this.servers.find(request.serverUrl, request.oauth.issuer ?? null);
    const { clientCredentialsGrant } = await import('openid-client');
    const config = await this.configurationOf(issuer, request);
    const scope = request.oauth.scope ?? undefined;
    try {
      const answer = await clientCredentialsGrant(config, {
        resource: issuer.resource,
        ...(scope && { scope }),
      });
      const token = issuedTokenIn(answer);
      if (!token) throw signInFailed('Its tokens are not bearer tokens.');
      return token;
    } catch (error) {
      throw asFailure(error, issuer);
    }
  }

  private async configurationOf({ metadata }: TokenIssuer, request: TokenRequest): Promise<Configuration> {
    const { clientId, clientSecret, privateKey } = request.oauth;
    const authentication =
      clientSecret != null
        ? await secretAt(metadata, valueOf(clientSecret, request))
        : await privateKeyJwt(valueOf(privateKey ?? '', request));
    return configured(metadata, valueOf(clientId, request), authentication, this.servers.fetch);
  }
}

async function secretAt(metadata: AuthorizationServerMetadata, secret: string): Promise<ClientAuth> {
  return authenticationOf({ method: secretMethodAt(metadata), secret }, await import('openid-client'));
}

function valueOf(template: string, { values }: TokenRequest): string {
  const text = fillTemplate(template, {}, (name) => values[name] ?? null);
  if (text === null) throw signInFailed('Values that it needs are missing.');
  return text;
}

/** The words of an authorization server are not passed on, except the codes of RFC 6749, which an operator can look up. */
function asFailure(error: unknown, { metadata }: TokenIssuer): McpUnavailable {
  if (error instanceof McpUnavailable) return error;
  const { host } = new URL(metadata.issuer);
  const code = refusalCodeOf(error);
  if (code !== null) return signInFailed(`The authorization server ${host} answered ${code}.`);
  return new McpUnavailable(
    'unreachable',
    `The authorization server ${host} of this server gave no usable answer. Try again later.`,
    30,
  );
}
