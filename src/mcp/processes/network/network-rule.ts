/** A host that a server may reach; `*.example.com` stands for every name below example.com. */
export interface HostRule {
  host: string;
  port: number;
}

/** What a server may reach at the two best sandbox levels (contract §7.10). */
export type NetworkRule = { kind: 'none' } | { kind: 'any' } | { kind: 'hosts'; hosts: readonly HostRule[] };

/** The port at which servers without restriction find a proxy for connections to other ports than the usual ones. */
export const PROXY_PORT = 1080;

/** Ports that work without a proxy for a server that may reach any host. */
const USUAL_PORTS = [
  22, 25, 80, 443, 465, 587, 993, 1433, 3306, 5432, 5671, 6379, 6443, 8080, 8443, 9000, 9200, 27017,
];

/** Returns the ports at which connections of the server are accepted in its network namespace. */
export function portsOf(rule: NetworkRule): number[] {
  if (rule.kind === 'none') return [];
  if (rule.kind === 'any') return [...USUAL_PORTS, PROXY_PORT];
  return [...new Set(rule.hosts.map(({ port }) => port))];
}

export function permits(rule: NetworkRule, host: string, port: number): boolean {
  if (rule.kind !== 'hosts') return rule.kind === 'any';
  return rule.hosts.some((allowed) => allowed.port === port && covers(allowed.host, host));
}

/** Whether a name may be resolved: some port of it is permitted. */
export function permitsName(rule: NetworkRule, name: string): boolean {
  if (rule.kind !== 'hosts') return rule.kind === 'any';
  return rule.hosts.some(({ host }) => covers(host, name));
}

function covers(pattern: string, host: string): boolean {
  const wanted = host.toLowerCase();
  const rule = pattern.toLowerCase();
  return rule.startsWith('*.')
    ? wanted.endsWith(rule.slice(1)) && wanted.length > rule.length - 1
    : wanted === rule;
}

const HTTP = `http://127.0.0.1:${PROXY_PORT}`;
const SOCKS = `socks5h://127.0.0.1:${PROXY_PORT}`;
const NOT_PROXIED = 'localhost,127.0.0.1,::1';

/**
 * Returns the variables that point a server that may reach any host to the proxy in its namespace, for ports that are
 * not accepted there directly. A server with named hosts gets none: it reaches them without a proxy, and many clients
 * handle proxies badly. Node reads the variables from 22.21 and 24.5 on, with NODE_USE_ENV_PROXY.
 */
export function proxyVariables(rule: NetworkRule | undefined): Record<string, string> {
  if (rule?.kind !== 'any') return {};
  const variables = { HTTP_PROXY: HTTP, HTTPS_PROXY: HTTP, ALL_PROXY: SOCKS, NO_PROXY: NOT_PROXIED };
  const lowerCase = Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...variables, ...Object.fromEntries(lowerCase), NODE_USE_ENV_PROXY: '1' };
}
