import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  type FetchLike,
  IssuerMismatchError,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { SecretRegister } from '../../platform/encryption/masking.js';
import { lenient } from '../../platform/http/oauth-answers.js';
import { OutboundHttp } from '../../platform/http/outbound-http.js';
import { OutboundError } from '../../platform/http/outbound-addresses-and-errors.js';
import { McpUnavailable } from '../processes/connection/mcp-errors.js';
import { signInFailed } from './sign-in-outcomes-and-errors.js';

const MOST_BYTES = 256 * 1024;
/** A token needs eight requests at most, which all end within the claim that other processes wait for (60 s). */
const PATIENCE_MS = 8_000;
/** The answer to a refresh token or a code may be the only one that there will be. */
const LONG_PATIENCE_MS = 30_000;

/** Where tokens for a server come from. */
export interface TokenIssuer {
  metadata: AuthorizationServerMetadata;
  /** The resource indicator of the server (RFC 8707), as the server itself writes it. */
  resource: string;
  /** What the server asks for in its challenge, else what its description lists; null where it says neither. */
  scope: string | null;
}

/**
 * Finds the authorization server of an MCP server (RFC 9728, RFC 8414, OpenID Connect Discovery). Each address is checked
 * like all outbound ones (contract §7), and no redirect is followed: the owner of its target would choose who gets
 * the credentials.
 */
@Injectable()
export class AuthorizationServersClient implements OnModuleDestroy {
  private readonly outbound: OutboundHttp;
  private readonly patient: OutboundHttp;

  constructor(
    private readonly settings: Settings,
    private readonly secrets: SecretRegister,
  ) {
    const limits = {
      allowedHosts: settings.outboundAllowedHosts,
      maxRedirects: 0,
      maxBytes: MOST_BYTES,
    };
    this.outbound = new OutboundHttp({ ...limits, timeoutMs: PATIENCE_MS });
    this.patient = new OutboundHttp({ ...limits, timeoutMs: LONG_PATIENCE_MS });
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.outbound.close(), this.patient.close()]);
  }

  /** Works like the global fetch, within the limits of outbound requests. @throws {McpUnavailable} */
  readonly fetch: FetchLike = async (url, init) => {
    this.refusePlainHttp(new URL(url));
    return this.outbound.fetch(url, init);
  };

  /** The same for requests whose answer cannot be asked for again. @throws {McpUnavailable} */
  readonly fetchPatiently: FetchLike = async (url, init) => {
    this.refusePlainHttp(new URL(url));
    return this.patient.fetch(url, init);
  };

  /**
   * @param wanted the issuer that must be among those that the server names, because it alone may get the credentials;
   * null: the first one
   * @throws {McpUnavailable} with a sentence when the server names no authorization server that can be used
   */
  async find(serverUrl: string, wanted: string | null): Promise<TokenIssuer> {
    const described = await this.describe(serverUrl).catch(rethrowAs(NO_DESCRIPTION));
    const issuer = issuerAmong(described.resource.authorization_servers ?? [], wanted);
    const fetchFn = lenient(this.fetch, 'issuer');
    const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn }).catch(
      rethrowAs(`The description of its authorization server ${originOf(issuer)} cannot be used.`),
    );
    if (!metadata)
      throw signInFailed(`Its authorization server ${originOf(issuer)} describes itself nowhere.`);
    const listed = described.resource.scopes_supported?.join(' ');
    return { metadata, resource: described.resource.resource, scope: described.scope ?? listed ?? null };
  }

  /** Whether an address is HTTPS, or of a host that the operator has named for plain HTTP. */
  isSafe(address: string): boolean {
    if (!URL.canParse(address)) return false;
    const { protocol, host } = new URL(address);
    return (
      protocol === 'https:' || (protocol === 'http:' && this.settings.outboundAllowedHosts.includes(host))
    );
  }

  private async describe(serverUrl: string) {
    const { resourceMetadataUrl, scope } = await this.challengeOf(serverUrl);
    const resource = await discoverOAuthProtectedResourceMetadata(
      serverUrl,
      { resourceMetadataUrl },
      lenient(this.fetch, 'resource'),
    );
    if (!isAddress(resource.resource, serverUrl)) await this.refuseUnlessPartOf(resource, serverUrl);
    return { resource, scope };
  }

  /**
   * A server may be a part of a wider resource, as where one description stands for a whole origin. A token for that is good
   * for all of its parts, so only the wider resource itself may say so, at its own well-known address (RFC 9728 §3.3).
   */
  private async refuseUnlessPartOf(
    resource: OAuthProtectedResourceMetadata,
    serverUrl: string,
  ): Promise<void> {
    const { resource: wider } = resource;
    const said = `resource is ${shown(wider)}, and its address ${shown(serverUrl)}`;
    if (!checkResourceAllowed({ requestedResource: serverUrl, configuredResource: wider }) || !isPlain(wider))
      throw signInFailed(this.secrets.mask(`It describes itself as another server: ${said}.`));
    const fetchFn = lenient(this.fetch, 'resource');
    // Without a usable description the wider resource says nothing.
    const own = await discoverOAuthProtectedResourceMetadata(wider, {}, fetchFn).catch(() => null);
    const agrees =
      own?.resource === wider &&
      resource.authorization_servers?.every((issuer) => own.authorization_servers?.includes(issuer));
    if (!agrees)
      throw signInFailed(
        this.secrets.mask(
          `It describes itself as a part of a wider resource, which does not say so at its own address: ${said}.`,
        ),
      );
  }

  /** Returns where the server says that it describes itself, which must be at its own origin, and what it asks for. */
  private async challengeOf(serverUrl: string) {
    const response = await this.fetch(serverUrl, { method: 'POST', ...UNAUTHENTICATED });
    await response.body?.cancel();
    const challenge = extractWWWAuthenticateParams(response);
    const named = challenge.resourceMetadataUrl;
    if (named && named.origin !== new URL(serverUrl).origin)
      throw signInFailed('It refers to another server for its description.');
    return challenge;
  }

  /** Credentials and tokens travel by HTTPS, or to hosts of the operator's own network that he has named. */
  private refusePlainHttp({ href, host }: URL): void {
    if (!this.isSafe(href)) throw signInFailed(`${host} is not reached by HTTPS.`);
  }
}

/** Whether both are one address, whatever the case of the host and a slash at the end. */
function isAddress(resource: string, serverUrl: string): boolean {
  const form = (address: string): string => {
    const { username, password, origin, pathname, search, hash } = new URL(address);
    return [username, password, origin, pathname.replace(/\/$/, ''), search, hash].join(' ');
  };
  return URL.canParse(resource) && form(resource) === form(serverUrl);
}

function isPlain(address: string): boolean {
  const { username, password, search, hash } = new URL(address);
  return [username, password, search, hash].every((part) => part === '');
}

const NO_DESCRIPTION = 'It does not describe how to sign in (protected resource metadata, RFC 9728).';

/** A request of the old era without credentials, to which a protected server answers with a challenge. */
const UNAUTHENTICATED = {
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' }),
};

/** @param otherwise the sentence for errors that have none of their own */
function rethrowAs(otherwise: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof McpUnavailable) throw error;
    const outbound = OutboundError.behind(error);
    if (outbound) throw signInFailed(outbound.message);
    if (error instanceof IssuerMismatchError)
      throw signInFailed(
        `Its authorization server describes itself as another one: issuer is ${shown(error.received ?? '')}, and was named as ${shown(error.expected ?? '')}.`,
      );
    throw signInFailed(otherwise);
  };
}

const LONGEST_ISSUER = 1_000;

function issuerAmong([first, ...others]: string[], wanted: string | null): string {
  if (first === undefined) throw signInFailed('It names no authorization server.');
  const issuer = wanted ?? first;
  if (![first, ...others].includes(issuer))
    throw signInFailed(
      `It names another authorization server than its entry: authorization_servers has ${[first, ...others].slice(0, 3).map(shown).join(', ')}, and the entry the issuer ${shown(issuer)}.`,
    );
  if (issuer.length > LONGEST_ISSUER)
    throw signInFailed('The address of its authorization server is too long.');
  return issuer;
}

/** An address that another server wrote or that has values of variables: without its query, in bounds and in plain characters. */
function shown(address: string): string {
  const { origin, pathname } = URL.canParse(address) ? new URL(address) : { origin: '', pathname: address };
  return JSON.stringify((origin === 'null' ? '' : origin) + pathname.replaceAll(/[^\x21-\x7e]/g, '?')).slice(
    0,
    200,
  );
}

function originOf(issuer: string): string {
  return URL.canParse(issuer) ? new URL(issuer).origin : 'that it names';
}
