import ipaddr from 'ipaddr.js';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { OutboundError } from './outbound-error.js';

/** Returns all addresses of a name. Tests of DNS with changing results replace it. */
export type Resolver = (hostname: string) => Promise<string[]>;

export const systemResolver: Resolver = async (hostname) =>
  (await lookup(hostname, { all: true, order: 'ipv4first' })).map(({ address }) => address);

/**
 * Returns the addresses at which `hostname:port` may be reached. The caller connects to exactly these: a second DNS query
 * could return others. All of them must be public, unless the operator has named this host and port.
 * @throws {OutboundError} when an address is not public, or when there is none
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
  throw new OutboundError(
    'refused_address',
    `${hostname} is not a public address. An operator can allow it by adding ${hostPort(hostname, port)} to OUTBOUND_ALLOWED_HOSTS.`,
  );
}

/** Whether an address is global unicast; the exception is Azure's wire server, which looks public and is not. */
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
