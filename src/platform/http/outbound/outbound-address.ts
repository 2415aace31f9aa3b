import ipaddr from 'ipaddr.js';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { OutboundFault } from './outbound-fault.js';

/** Answers all addresses of a name; replaced in tests of DNS that changes its mind. */
export type Resolver = (hostname: string) => Promise<string[]>;

export const systemResolver: Resolver = async (hostname) =>
  (await lookup(hostname, { all: true, order: 'ipv4first' })).map(({ address }) => address);

/**
 * The addresses at which `hostname:port` may be reached, to be connected to as they stand: asking DNS again
 * could give others. Public ones only, and all of them, unless the operator named this very host and port.
 */
export async function permittedAddresses(
  hostname: string,
  port: number,
  allowedHosts: readonly string[],
  resolve: Resolver,
): Promise<string[]> {
  const addresses = isIP(hostname) ? [hostname] : await resolve(hostname);
  if (isAllowed(hostname, port, allowedHosts)) return addresses;
  if (addresses.length > 0 && addresses.every(isPublic)) return addresses;
  throw new OutboundFault(
    'refused_address',
    `${hostname} is not a public address. An operator can allow it by adding ${hostPort(hostname, port)} to MCP_ALLOWED_HOSTS.`,
  );
}

/** Only what the registries call global unicast; the last is Azure's wire server, which looks public and isn't. */
export function isPublic(address: string): boolean {
  return (
    ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast' && address !== '168.63.129.16'
  );
}

function isAllowed(hostname: string, port: number, allowedHosts: readonly string[]): boolean {
  const wanted = hostPort(hostname, port);
  return allowedHosts.some((allowed) => allowed.trim().toLowerCase() === wanted);
}

function hostPort(hostname: string, port: number): string {
  return `${isIP(hostname) === 6 ? `[${hostname}]` : hostname.toLowerCase()}:${port}`;
}
