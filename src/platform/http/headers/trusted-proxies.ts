import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';

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
