import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Why an outbound request was not sent, or its response not accepted. */
export type OutboundErrorKind =
  | 'refused_address'
  | 'bad_redirect'
  | 'too_large'
  | 'timed_out'
  | 'unreachable';

/** An outbound request failed. The message is a sentence for a person; it may name a host, never a credential or the response. */
export class OutboundError extends Error {
  constructor(
    readonly kind: OutboundErrorKind,
    message: string,
  ) {
    super(message);
    this.name = 'OutboundError';
  }

  /** Returns the OutboundError behind an error of fetch or of a stream, which wrap it, or null. */
  static behind(error: unknown): OutboundError | null {
    return causesOf(error).find((cause) => cause instanceof OutboundError) ?? null;
  }
}

/** Yields an error, its cause, the cause of that, and so on. */
export function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; typeof cause === 'object' && cause !== null && causes.length < LONGEST_CHAIN;) {
    causes.push(cause);
    cause = 'cause' in cause ? cause.cause : null;
  }
  return causes;
}

const LONGEST_CHAIN = 10;

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

/** Ranges that look public and are not: Azure's wire server, and the deprecated IPv4-compatible addresses. */
const NOT_PUBLIC = ['168.63.129.16/32', '::/96'].map((range) => ipaddr.parseCIDR(range));

/** Whether an address is global unicast, in whichever of its forms it is written. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const plain = ipaddr.process(address);
  return plain.range() === 'unicast' && !NOT_PUBLIC.some((range) => isWithin(plain, range));
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, [range, bits]: (typeof NOT_PUBLIC)[number]): boolean {
  return address.kind() === range.kind() && address.match(range, bits);
}

function isAllowed(hostname: string, port: number, allowedHosts: readonly string[]): boolean {
  const wanted = hostPort(hostname, port);
  return allowedHosts.some((allowed) => allowed.trim().toLowerCase() === wanted);
}

function hostPort(hostname: string, port: number): string {
  return `${isIP(hostname) === 6 ? `[${hostname}]` : hostname.toLowerCase()}:${port}`;
}
