import { Injectable } from '@nestjs/common';
import { McpUnavailable } from '../../processes/connection/mcp-errors.js';
import { AuthorizationServersClient } from './authorization-servers.client.js';
import { issuedTokenIn, type IssuedToken } from './issued-token.js';
import { configurationOf } from './oauth-configuration.js';
import type { StoredGrant } from './oauth-grants.repository.js';
import { refusalCodeOf } from './refusal-code.js';

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

/** Requests access tokens with the refresh token of a sign-in (RFC 6749 §6), for its resource (RFC 8707). */
@Injectable()
export class GrantRefreshClient {
  constructor(private readonly servers: AuthorizationServersClient) {}

  /**
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
}

function noAnswer({ metadata: { issuer } }: StoredGrant, code: string | null): McpUnavailable {
  const { host } = new URL(issuer);
  const what = code === null ? 'gave no usable answer' : `answered ${code}`;
  return new McpUnavailable(
    'unreachable',
    `The authorization server ${host} of this server ${what}. Try again later.`,
    30,
  );
}
