import type { FieldError } from '../../platform/http/problem.js';
import type { StdioEntry } from './catalog-entry.js';
import { declared, templateError, variablesOf } from './variable-values-and-placeholders.js';

/** What a server may reach (contract §7.10). */
export type EntryNetwork = { kind: 'none' | 'any' } | { kind: 'hosts'; hosts: HostAndPort[] };

/**
 * Returns what a server may reach; undefined: the network of the host. A host whose variable has no value is left out;
 * without any host the server reaches nothing.
 */
export function networkOf(
  { manifest: { network } }: StdioEntry,
  fill: (template: string) => string | null,
): EntryNetwork | undefined {
  if (network === undefined || network === null) return undefined;
  if (typeof network === 'string') return { kind: network };
  return { kind: 'hosts', hosts: network.hosts.flatMap((text) => hostsIn(fill(text) ?? '')) };
}

/** Checks that each host of an entry is a host, `host:port`, `*.example.com`, or the variable of one. */
export function networkErrors(entry: StdioEntry): FieldError[] {
  const { network } = entry.manifest;
  const hosts = typeof network === 'object' && network !== null ? network.hosts : [];
  return hosts.flatMap((host, index) => {
    const message = hostError(entry, host);
    return message === null ? [] : [{ path: `manifest.network.hosts[${index}]`, message }];
  });
}

function hostError(entry: StdioEntry, host: string): string | null {
  const error = templateError(host, {
    folder: () => 'may use placeholders of variables only',
    variable: declared(entry.environmentVariables, () => null),
  });
  if (error !== null || variablesOf(host).length > 0) return error;
  return hostsIn(host).length === 1 && !host.includes('/')
    ? null
    : 'must be a host, host:port or *.example.com';
}

/** A host that a server may reach; `*.example.com` is every name below it. */
export interface HostAndPort {
  host: string;
  port: number;
}

const HTTPS_PORT = 443;

/** The ports of addresses that name none, by scheme. */
const PORTS: Record<string, number> = {
  http: 80,
  https: HTTPS_PORT,
  postgres: 5432,
  postgresql: 5432,
  mysql: 3306,
  mariadb: 3306,
  sqlserver: 1433,
  mongodb: 27017,
  'mongodb+srv': 27017,
  redis: 6379,
  rediss: 6379,
};

/**
 * Returns the hosts that a text of `network.hosts` names once its variables are filled in: a host, `host:port`, a URL,
 * or a connection string with one or several hosts. A text that names none, such as `sqlite:///file`, gives none.
 */
export function hostsIn(text: string): HostAndPort[] {
  const [, scheme, rest = text] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(text.trim()) ?? [];
  const port = scheme === undefined ? HTTPS_PORT : PORTS[scheme.toLowerCase()];
  const [authority = ''] = rest.split(/[/?#]/, 1);
  const hosts = authority.slice(authority.lastIndexOf('@') + 1).split(',');
  return hosts.flatMap((host) => hostAndPort(host.trim(), port));
}

function hostAndPort(text: string, defaultPort: number | undefined): HostAndPort[] {
  const [, bracketed, plain, digits] =
    /^(?:\[([0-9a-f:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = (bracketed ?? plain)?.toLowerCase().replace(/\.$/, '');
  const port = digits === undefined ? defaultPort : Number(digits);
  const isUsable = host !== undefined && host !== '' && port !== undefined && port > 0 && port < 65_536;
  return isUsable ? [{ host, port }] : [];
}
