import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { RemoteJWKSet } from 'jose';
import type { ClientAuth, Configuration, CustomFetchOptions } from 'openid-client';
import type { OidcSettings } from '../config/oidc-settings.schema.js';
import { Settings } from '../config/settings.js';
import { basicCredentials, lenient } from '../http/oauth-answers.js';
import { OutboundHttp } from '../http/outbound-http.js';
import { isOtherIssuer, issuerDiffers, refuseMetadata, SignInRefused } from './sign-in-refusal-reasons.js';

/** A provider that gives no answer in this time is unavailable (contract §2.9). */
export const TIMEOUT_SECONDS = 10;
const ANSWER_MAX_BYTES = 256 * 1024;

/** Sends the requests to the OpenID provider within the limits of outbound requests. */
@Injectable()
export class OidcHttpService implements BeforeApplicationShutdown {
  private http: OutboundHttp | null = null;

  constructor(private readonly settings: Settings) {}

  /**
   * Returns what works like the global fetch. The issuer is the operator's own setting, so its host and port may be on a
   * private address. What its metadata names beside that follows the rules of all outbound requests (contract §7.7).
   */
  fetchFor({ issuer }: OidcSettings): OutboundHttp['fetch'] {
    this.http ??= new OutboundHttp({
      allowedHosts: [...this.settings.outboundAllowedHosts, hostAndPort(new URL(issuer))],
      maxRedirects: 0,
      maxBytes: ANSWER_MAX_BYTES,
      timeoutMs: TIMEOUT_SECONDS * 1_000,
    });
    return this.http.fetch;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.http?.close();
  }
}

function hostAndPort({ protocol, hostname, port }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

/** Seconds that the clock of the provider may differ from the service's. */
export const CLOCK_TOLERANCE_SECONDS = 60;
const METADATA_LIFE_MS = 3_600_000;
/** A sign-in begins with metadata of this age at most: a provider that is away is noticed before the browser is sent there. */
export const FRESH_MS = 5_000;
/** An unknown key in a forged logout token leads to one request for the keys in this time, and not to one each. */
const KEYS_COOLDOWN_MS = 10_000;

/** The provider as its metadata describes it, with its keys. */
export interface Provider {
  configuration: Configuration;
  keys: RemoteJWKSet;
  issuer: string;
}

/**
 * Reads the metadata of the provider when a person signs in. The libraries are loaded then too: a service without OIDC
 * never loads them.
 */
@Injectable()
export class OidcDiscoveryClient {
  private known: { provider: Promise<Provider>; since: number } | null = null;
  private keys: { url: string; set: RemoteJWKSet } | null = null;

  constructor(
    private readonly settings: Settings,
    private readonly http: OidcHttpService,
  ) {}

  /**
   * @param mostAgeMs of the metadata
   * @throws {SignInRefused} when no provider is configured; other errors stand for one that gives no usable answer
   */
  provider(mostAgeMs = METADATA_LIFE_MS): Promise<Provider> {
    const { oidc } = this.settings;
    if (oidc === null) throw new SignInRefused('off');
    if (this.known && performance.now() < this.known.since + mostAgeMs) return this.known.provider;
    const known = { provider: this.discover(oidc), since: performance.now() };
    this.known = known;
    // The caller sees the error. Here it only makes the next sign-in ask again.
    known.provider.catch(() => (this.known = this.known === known ? null : this.known));
    return known.provider;
  }

  private async discover(oidc: OidcSettings): Promise<Provider> {
    const client = await import('openid-client');
    const plain = oidc.issuer.startsWith('http:');
    const guarded = this.http.fetchFor(oidc);
    const fetch = lenient(guarded, 'token');
    const configuration = await client
      .discovery(
        new URL(oidc.issuer),
        oidc.clientId,
        { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
        clientSecretOf(oidc, client),
        {
          [client.customFetch]: (url: string, options: CustomFetchOptions) =>
            fetch(url, options as RequestInit),
          execute: plain ? [client.allowInsecureRequests] : [],
          timeout: TIMEOUT_SECONDS,
        },
      )
      .catch((error: unknown) => {
        throw isOtherIssuer(error) ? issuerDiffers() : error;
      });
    const metadata = configuration.serverMetadata();
    refuseMetadata(metadata, oidc.issuer);
    const { issuer, jwks_uri: keysUrl } = metadata;
    return { configuration, keys: await this.keysAt(keysUrl!, guarded), issuer };
  }

  /** The keys of one address are kept, with the time of the last request for them, when the metadata is read again. */
  private async keysAt(url: string, fetch: OutboundHttp['fetch']): Promise<RemoteJWKSet> {
    if (this.keys?.url === url) return this.keys.set;
    const { createRemoteJWKSet, customFetch } = await import('jose');
    const set = createRemoteJWKSet(new URL(url), {
      cooldownDuration: KEYS_COOLDOWN_MS,
      timeoutDuration: TIMEOUT_SECONDS * 1_000,
      [customFetch]: (address: string, options: RequestInit) => fetch(address, options),
    });
    this.keys = { url, set };
    return set;
  }
}

/**
 * Sends the secret as a header unless the provider accepts it in the body only. The secret is that of the moment of the
 * request: the metadata outlive a change of its file.
 */
function clientSecretOf(oidc: OidcSettings, library: typeof import('openid-client')): ClientAuth {
  const byBody: ClientAuth = (...request) => library.ClientSecretPost(oidc.clientSecret)(...request);
  const byHeader: ClientAuth = (_server, client, _body, headers) =>
    headers.set('authorization', basicCredentials(client.client_id, oidc.clientSecret));
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const inBody = !methods.includes('client_secret_basic') && methods.includes('client_secret_post');
    return (inBody ? byBody : byHeader)(server, client, body, headers);
  };
}
