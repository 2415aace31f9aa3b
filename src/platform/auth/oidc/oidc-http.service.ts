import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { OidcSettings } from '../../config/oidc.js';
import { Settings } from '../../config/settings.js';
import { OutboundHttp } from '../../http/outbound/outbound-http.js';

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
