import ipaddr from 'ipaddr.js';

/** The part of an IPv6 address that a provider assigns to one customer, who may use any address in it. */
const IPV6_PREFIX_BITS = 64;

/** Returns the name under which the requests of a client's address are counted. @param address null where it is unknown */
export function clientNetwork(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return address ?? 'unknown';
  const plain = ipaddr.process(address);
  if (plain.kind() === 'ipv4') return plain.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${plain.toString()}/${IPV6_PREFIX_BITS}`);
  return `${network.toString()}/${IPV6_PREFIX_BITS}`;
}
