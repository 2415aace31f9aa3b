import {
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  IssuerMismatchError,
  type AuthorizationServerMetadata,
  type FetchLike,
} from '@modelcontextprotocol/client';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { OutboundError } from '../../../platform/http/outbound/outbound-error.js';
import { OutboundHttp } from '../../../platform/http/outbound/outbound-http.js';
import { McpUnavailable } from '../../processes/connection/mcp-errors.js';
import { signInFailed } from './oauth-failure.js';

const MOST_BYTES = 256 * 1024;
/** A token needs seven requests at most, which all end within the claim that other processes wait for (60 s). */
const PATIENCE_MS = 8_000;

/** Where tokens for a server come from. */
export interface TokenIssuer {
  metadata: AuthorizationServerMetadata;
  /** The resource indicator of the server (RFC 8707), as the server itself writes it. */
  resource: string;
}

/**
 * Finds the authorization server of an MCP server (RFC 9728, RFC 8414, OpenID Connect Discovery). Each address is checked
 * like all outbound ones (contract §7), and no redirect is followed: the owner of its target would choose who gets
 * the credentials.
 */
@Injectable()
export class AuthorizationServersClient implements OnModuleDestroy {
  private readonly outbound: OutboundHttp;

  constructor(private readonly settings: Settings) {
    const allowedHosts = settings.outboundAllowedHosts;
    this.outbound = new OutboundHttp({
      allowedHosts,
      maxRedirects: 0,
      maxBytes: MOST_BYTES,
      timeoutMs: PATIENCE_MS,
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.outbound.close();
  }

  /** Works like the global fetch, within the limits of outbound requests. @throws {McpUnavailable} */
  readonly fetch: FetchLike = async (url, init) => {
    this.refusePlainHttp(new URL(url));
    return this.outbound.fetch(url, init);
  };

  /** @throws {McpUnavailable} with a sentence when the server names no authorization server that can be used */
  async find(serverUrl: string): Promise<TokenIssuer> {
    try {
      const resource = await this.resourceOf(serverUrl);
      const [issuer] = resource.authorization_servers ?? [];
      if (issuer === undefined) throw signInFailed('It names no authorization server.');
      const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: this.fetch });
      if (!metadata)
        throw signInFailed(`Its authorization server ${originOf(issuer)} describes itself nowhere.`);
      return { metadata, resource: resource.resource };
    } catch (error) {
      throw asFailure(error);
    }
  }

  private async resourceOf(serverUrl: string) {
    const resourceMetadataUrl = await this.challengeOf(serverUrl);
    const metadata = await discoverOAuthProtectedResourceMetadata(
      serverUrl,
      { resourceMetadataUrl },
      this.fetch,
    );
    const { resource: configuredResource } = metadata;
    if (!checkResourceAllowed({ requestedResource: serverUrl, configuredResource }))
      throw signInFailed('It describes itself as another server.');
    return metadata;
  }

  /** Returns where the server says that it describes itself, which must be at its own origin; undefined if nowhere. */
  private async challengeOf(serverUrl: string): Promise<URL | undefined> {
    const response = await this.fetch(serverUrl, { method: 'POST', ...UNAUTHENTICATED });
    await response.body?.cancel();
    const { resourceMetadataUrl: named } = extractWWWAuthenticateParams(response);
    if (named && named.origin !== new URL(serverUrl).origin)
      throw signInFailed('It refers to another server for its description.');
    return named;
  }

  /** Credentials and tokens travel by HTTPS, or to hosts of the operator's own network that he has named. */
  private refusePlainHttp({ protocol, host }: URL): void {
    if (protocol === 'https:' || this.settings.outboundAllowedHosts.includes(host)) return;
    throw signInFailed(`${host} is not reached by HTTPS.`);
  }
}

/** A request of the old era without credentials, to which a protected server answers with a challenge. */
const UNAUTHENTICATED = {
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' }),
};

function asFailure(error: unknown): McpUnavailable {
  if (error instanceof McpUnavailable) return error;
  const outbound = OutboundError.behind(error);
  if (outbound) return signInFailed(outbound.message);
  if (error instanceof IssuerMismatchError)
    return signInFailed('Its authorization server describes itself as another one.');
  return signInFailed('Its description or that of its authorization server cannot be used.');
}

function originOf(issuer: string): string {
  return URL.canParse(issuer) ? new URL(issuer).origin : 'that it names';
}
