import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import { Injectable } from '@nestjs/common';
import { AuthorizationServersClient, type TokenIssuer } from './authorization-servers.client.js';
import { ClientDescriptionService } from './client-identities.service.js';
import type { ClientIdentity, SignInSecrets } from './oauth-sign-in-grant-and-client.repository.js';
import { rejectionOf, SignInRejected, SignInUnavailable } from './sign-in-outcomes-and-errors.js';
import { configurationOf, type IssuedToken, issuedTokenIn } from './token-endpoint.client.js';

/** What an authorization server granted for a code. */
export interface Granted {
  token: IssuedToken;
  refreshToken: string | null;
  scope: string | null;
}

/** What the browser brought from an authorization server. */
export interface BrowserAnswer {
  query: URLSearchParams;
  /** The last part of the path of the callback; null for the callback that issuers share. */
  issuerId: string | null;
}

/** The members of the metadata that the exchange of the code, and later requests for tokens, need. */
const KEPT = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'revocation_endpoint',
  'response_types_supported',
  'token_endpoint_auth_methods_supported',
  'authorization_response_iss_parameter_supported',
  'id_token_signing_alg_values_supported',
];

/**
 * What the request itself decides. A page whose address has one of these would come before it: a server reads the first of
 * two, and would send the code of another client or to another address, or one for more than the person was asked for, or for
 * another server, which the holder of the token endpoint could then redeem.
 */
const DECIDED = [
  ...['client_id', 'redirect_uri', 'response_type', 'response_mode', 'state', 'scope', 'resource'],
  ...['code_challenge', 'code_challenge_method', 'request', 'request_uri'],
];

/** Signs people in at authorization servers by the authorization code flow with PKCE (RFC 6749 §4.1, RFC 7636). */
@Injectable()
export class AuthorizationCodeClient {
  constructor(
    private readonly servers: AuthorizationServersClient,
    private readonly description: ClientDescriptionService,
  ) {}

  /** @throws {SignInUnavailable} when a browser cannot be sent there, or the server does not protect the code */
  refuseUnusable({ metadata }: TokenIssuer): void {
    const { issuer, authorization_endpoint: page, token_endpoint: tokens } = metadata;
    const { host } = new URL(issuer);
    if (!this.servers.isSafe(page) || !this.servers.isSafe(tokens))
      throw new SignInUnavailable(`The authorization server ${host} is not reached by HTTPS.`);
    if (!metadata.code_challenge_methods_supported?.includes('S256'))
      throw new SignInUnavailable(
        `The authorization server ${host} does not say that it supports PKCE with S256, which MCP requires.`,
      );
    const { searchParams } = new URL(page);
    const decided = DECIDED.find((name) => searchParams.has(name));
    if (decided !== undefined)
      throw new SignInUnavailable(
        `The authorization server ${host} has ${decided} in its authorization_endpoint, which only the sign-in itself may set.`,
      );
  }

  /** Returns the secrets of a new sign-in with this client. @param wanted the scope that the entry asks for */
  async secretsFor(
    issuer: TokenIssuer,
    client: ClientIdentity,
    wanted: string | null,
  ): Promise<SignInSecrets> {
    const { randomPKCECodeVerifier } = await import('openid-client');
    return {
      metadata: kept(issuer.metadata),
      client,
      redirectUri: this.description.redirectUriFor(client, issuer.metadata.issuer),
      resource: issuer.resource,
      codeVerifier: randomPKCECodeVerifier(),
      scope: scopeOf(wanted ?? issuer.scope, issuer.metadata),
    };
  }

  /** Returns the address that a browser has to open. */
  async authorizationUrl(secrets: SignInSecrets, state: string): Promise<URL> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client');
    const config = await configurationOf(secrets, this.servers);
    const { scope } = secrets;
    return buildAuthorizationUrl(config, {
      redirect_uri: secrets.redirectUri,
      state,
      resource: secrets.resource,
      code_challenge: await calculatePKCECodeChallenge(secrets.codeVerifier),
      code_challenge_method: 'S256',
      ...(scope !== null && { scope }),
      // Without it OpenID providers leave the refresh token out.
      ...(scope?.split(' ').includes('offline_access') && { prompt: 'consent' }),
    });
  }

  /**
   * Exchanges the code that the browser brought.
   * @throws {SignInRejected} when the answer or its exchange fails a check, or the server refuses
   */
  async redeem({ query, issuerId }: BrowserAnswer, state: string, secrets: SignInSecrets): Promise<Granted> {
    try {
      if (!this.description.leadsTo(secrets.redirectUri, issuerId))
        throw new SignInRejected('invalid', 'redirect_uri');
      const { authorizationCodeGrant } = await import('openid-client');
      const config = await configurationOf(secrets, this.servers);
      const url = new URL(secrets.redirectUri);
      url.search = query.toString();
      const checks = { expectedState: state, pkceCodeVerifier: secrets.codeVerifier };
      const answer = await authorizationCodeGrant(config, url, checks, { resource: secrets.resource });
      const token = issuedTokenIn(answer);
      if (!token) throw new SignInRejected('invalid', 'token_type');
      const refreshToken = answer.refresh_token ?? null;
      return { token, refreshToken, scope: scopeIn(answer.scope) ?? secrets.scope };
    } catch (error) {
      throw rejectionOf(error);
    }
  }
}

function kept(metadata: AuthorizationServerMetadata): AuthorizationServerMetadata {
  const members = Object.entries(metadata).filter(([name]) => KEPT.includes(name));
  return Object.fromEntries(members) as AuthorizationServerMetadata;
}

const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;
const MOST_SCOPES = 100;

function scopeOf(
  wanted: string | null,
  { scopes_supported: offered }: AuthorizationServerMetadata,
): string | null {
  return scopeIn(wanted, offered?.includes('offline_access') ? ['offline_access'] : []);
}

/** A scope that a server names goes into an address or is shown, so its form and length are limited. */
function scopeIn(text: string | null | undefined, more: string[] = []): string | null {
  const tokens = (text ?? '').split(' ').filter((token) => SCOPE_TOKEN.test(token));
  const all = [...new Set([...tokens.slice(0, MOST_SCOPES), ...more])];
  return all.length > 0 ? all.join(' ') : null;
}
