import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Request } from 'express';
import proxyAddr from 'proxy-addr';
import { Problem } from './problem.js';

/** The proxies whose X-Forwarded-* headers are believed; the headers of all others are ignored. */
export class TrustedProxies {
  private readonly includes: (address: string, distance: number) => boolean;

  /** @param list addresses and CIDR ranges */
  constructor(list: string[]) {
    this.includes = proxyAddr.compile(list);
  }

  /** Whether the connection of a request comes from a trusted proxy. */
  sent({ socket }: IncomingMessage): boolean {
    return socket.remoteAddress !== undefined && this.includes(socket.remoteAddress, 0);
  }

  /**
   * Returns the client's address: the first one, read from the right of X-Forwarded-For, that is not a trusted proxy,
   * since everything left of it may be made up. An entry that is no address counts as the connection's.
   */
  clientOf(request: IncomingMessage): string | null {
    const { remoteAddress } = request.socket;
    if (remoteAddress === undefined) return null;
    const client = proxyAddr(request, this.includes);
    return isIP(client) ? client : remoteAddress;
  }
}

/** The settings of the rule. */
export interface HttpsRuleSettings {
  allowHttpOnLoopback: boolean;
}

/**
 * Accepts secrets over TLS only (contract §2): the service's own or a trusted proxy's. From this host plain HTTP is
 * accepted too, while ALLOW_HTTP_ON_LOOPBACK is on and no proxy forwarded the request.
 */
export class HttpsRule {
  constructor(
    private readonly settings: HttpsRuleSettings,
    private readonly proxies: TrustedProxies,
  ) {}

  /** @throws {Problem} https_required when a secret would travel over plain HTTP */
  enforce(request: Request): void {
    if (!this.isSafe(request)) throw new HttpsRequired();
  }

  /** Whether the connection that the client made is TLS. */
  isTls(request: Request): boolean {
    if ('encrypted' in request.socket && request.socket.encrypted === true) return true;
    return this.proxies.sent(request) && request.headers['x-forwarded-proto'] === 'https';
  }

  private isSafe(request: Request): boolean {
    return this.isTls(request) || (this.settings.allowHttpOnLoopback && isFromThisHost(request));
  }
}

/** Whether a program on this host made the connection. What a proxy forwarded is not from this host, unless the proxy hides it. */
export function isFromThisHost(request: Request): boolean {
  return isLoopback(request.socket.remoteAddress) && !wasForwarded(request);
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(::ffff:)?127\.|^::1$/.test(address);
}

function wasForwarded(request: Request): boolean {
  return Object.keys(request.headers).some((name) => name === 'forwarded' || name.startsWith('x-forwarded-'));
}

class HttpsRequired extends Problem {
  constructor() {
    super(
      'https_required',
      'This request carries a secret, so it needs HTTPS: set TLS_CERT_FILE and TLS_KEY_FILE, or put a proxy named in ' +
        'TRUSTED_PROXIES in front of the service; from this host ALLOW_HTTP_ON_LOOPBACK=true allows plain HTTP.',
    );
  }
}
