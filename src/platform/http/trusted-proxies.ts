import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** The proxies whose X-Forwarded-* headers are believed; from anywhere else they are ignored. */
export class TrustedProxies {
  private readonly ranges: Range[];

  /** @param list addresses and CIDR ranges */
  constructor(list: string[]) {
    this.ranges = list.map((item) => {
      if (item.includes('/')) return ipaddr.parseCIDR(item);
      const address = ipaddr.process(item);
      return [address, address.kind() === 'ipv4' ? 32 : 128];
    });
  }

  trusts(address: string | undefined): boolean {
    if (address === undefined || !ipaddr.isValid(address)) return false;
    const client = ipaddr.process(address);
    return this.ranges.some(
      (range) => range[0].kind() === client.kind() && client.match(range as [ipaddr.IPv4, number]),
    );
  }

  /**
   * The client's address: of the connection, or what the proxies that we trust say, read from the right,
   * since everything left of the first address that we don't trust may be made up.
   */
  clientOf(connection: string | undefined, forwardedFor: string | undefined): string | null {
    const chain = [...(forwardedFor?.split(',').map((part) => part.trim()) ?? []), connection ?? ''];
    for (let address = chain.pop(); address !== undefined; address = chain.pop())
      if (!this.trusts(address) || chain.length === 0)
        return ipaddr.isValid(address) ? address : (connection ?? null);
    return connection ?? null;
  }
}
