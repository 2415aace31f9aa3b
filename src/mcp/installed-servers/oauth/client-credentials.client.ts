import { Injectable } from '@nestjs/common';
import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client';
import { fillTemplate } from '../../catalog/placeholders.js';
import type { ClientCredentialsOauth } from '../../catalog/catalog-entry.js';
import { lenient } from '../../../platform/http/outbound/oauth-answers.js';
import { McpUnavailable } from '../../processes/connection/mcp-errors.js';
import { AuthorizationServersClient, type TokenIssuer } from './authorization-servers.client.js';
import { privateKeyJwt } from './client-keys.js';
import { secretInHeader } from './oauth-configuration.js';
import { issuedTokenIn, type IssuedToken } from './issued-token.js';
import { signInFailed } from './oauth-failure.js';
import { refusalCodeOf } from './refusal-code.js';
import { secretMethodAt } from './sign-in/client-method.js';

/** Who asks for a token, and for which server. */
export interface TokenRequest {
  serverUrl: string;
  oauth: ClientCredentialsOauth;
  /** Values of the variables that the templates of `oauth` use. */
  values: Readonly<Record<string, string>>;
}

/** Requests tokens with the credentials of a client (RFC 6749 §4.4) for one resource (RFC 8707). */
@Injectable()
export class ClientCredentialsClient {
  constructor(private readonly servers: AuthorizationServersClient) {}

  /** @throws {McpUnavailable} with a sentence for an agent when there is no token */
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

  private async configurationOf(issuer: TokenIssuer, request: TokenRequest): Promise<Configuration> {
    const client = await import('openid-client');
    const { clientId, clientSecret, privateKey } = request.oauth;
    const authentication =
      clientSecret != null
        ? secretAt(issuer, valueOf(clientSecret, request), client)
        : await privateKeyJwt(valueOf(privateKey ?? '', request));
    const metadata = issuer.metadata as ServerMetadata;
    const config = new client.Configuration(metadata, valueOf(clientId, request), {}, authentication);
    const fetch = lenient(this.servers.fetch, 'token');
    config[client.customFetch] = (url, options) => fetch(url, options as RequestInit);
    // Which hosts may be reached without TLS is decided by the fetch.
    client.allowInsecureRequests(config);
    return config;
  }
}

function secretAt(
  { metadata }: TokenIssuer,
  secret: string,
  { ClientSecretPost }: typeof import('openid-client'),
): ClientAuth {
  return secretMethodAt(metadata) === 'client_secret_post'
    ? ClientSecretPost(secret)
    : secretInHeader(secret);
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
