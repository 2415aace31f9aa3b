import { readFileSync } from 'node:fs';
import type { McpUnavailable } from './connection/mcp-errors.js';
import type { NetworkRule } from './network/permitted-hosts-and-ports.js';

/**
 * A scope names one process of a server: `shared`, or the id of the agent that has the process for itself. Where the
 * process has other credentials than those of the set `default`, `_` and the id of its credential set follow. The data
 * folder, the lock that keeps a process on one host and the choice of the host go by the scope.
 */
const SET = /_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Returns the scope of the same caller with this credential set. The set `default` has the id of its server. */
export function withCredentialSet(scope: string, serverId: string, credentialSetId: string): string {
  return credentialSetId === serverId ? scope : `${scope}_${credentialSetId}`;
}

/** Returns the id of the credential set that a process of this scope has. */
export function credentialSetOf(serverId: string, scope: string): string {
  return SET.exec(scope)?.[1] ?? serverId;
}

/** Returns the scope without its credential set: `shared`, or the id of an agent. */
export function withoutCredentialSet(scope: string): string {
  return scope.replace(SET, '');
}

/** Returns the agent that has the process of this scope for itself; null for a shared one. */
export function ownerOf(scope: string): string | null {
  const owner = withoutCredentialSet(scope);
  return owner === 'shared' ? null : owner;
}

/** Whether all agents share one process of a server, or each has its own because the server keeps state. */
export type Sharing = 'shared' | 'agent';

/** A server as one caller uses it. */
export interface UsedServer {
  serverId: string;
  sharing: Sharing;
  /** The credential set that the caller's grant names. */
  credentialSetId: string;
}

/** Returns the scope that a caller uses. Every scope of a server has its own process and data folder. */
export function scopeOf({ serverId, sharing, credentialSetId }: UsedServer, callerId: string): string {
  return withCredentialSet(sharing === 'shared' ? 'shared' : callerId, serverId, credentialSetId);
}

/**
 * Describes an MCP server so that it can be run or reached. It is data with opened credentials, so that this module
 * depends on no entity, database or key ring.
 */
export type ServerDescription = (StdioServer | RemoteServer) & {
  serverId: string;
  /** The server's name in messages. */
  name: string;
  /** Values that are masked in everything the server sends: results, errors, logs. */
  secrets: string[];
  /** Changes with credentials, variables, limits or package. A new revision drains and replaces live connections. */
  revision: string;
  /**
   * The protocol era that an earlier connection of the same revision found (`McpConnection.verdict`). It saves the
   * probe.
   */
  prior?: EraVerdict;
};

/** A server that runs on this host as a child process and speaks over its standard streams. */
export interface StdioServer {
  transport: 'stdio';
  /** An absolute path, or a name that is looked up on the fixed PATH of child processes. */
  command: string;
  args: string[];
  cwd: string;
  /** The declared variables. Only PATH, HOME, TMPDIR and LANG are added to them. */
  env: Record<string, string>;
  /**
   * Each content is written to a file of mode 0600 at start, its path is put into `variable`, and the file is removed
   * at stop.
   */
  secretFiles: { variable: string; content: string }[];
  /** The folder of the package, which the server can read and never write. */
  installDir: string | null;
  /** The server's private writable folder, created with mode 0700. */
  dataDir: string;
  /** Further paths of this host that the sandbox mounts. */
  readOnlyPaths: string[];
  writablePaths: string[];
  /** What the server may reach; absent: the network of the host. */
  network?: NetworkRule;
  limits?: ServerLimits;
}

/**
 * A server that is reached over the network: `http` is Streamable HTTP, `sse` the older pair of event stream and POST.
 */
export interface RemoteServer {
  transport: 'http' | 'sse';
  url: string;
  headers: Record<string, string>;
  /** Where the access tokens of its requests come from; absent: they need none. */
  tokens?: TokenSource;
  limits?: ServerLimits;
}

export interface AccessToken {
  id: string;
  value: string;
}

/** Gives access tokens that change while a connection lasts. */
export interface TokenSource {
  /**
   * @param refusedId the id of a token that the server has refused (401); the returned one is another
   * @returns null while no one has signed in, and it is not known that anyone has to
   * @throws {McpUnavailable} with a sentence for an agent when there is none
   */
  token(refusedId?: string): Promise<AccessToken | null>;
  /**
   * Present where a person signs in: learns that the server refused (401) a request without a token, or two new tokens
   * one after the other.
   * @param challenge the header `WWW-Authenticate`
   * @returns the error of the request; null where the refusal says nothing about a sign-in
   */
  refused?(token: AccessToken | null, challenge: string | null): Promise<McpUnavailable | null>;
}

/**
 * The protocol era that a connection found, stored as JSON with its date. A wrong `modern` fails loudly. A stale
 * `legacy` works for ever in silence, hence the date (see `isFresh` in mcp-connection.ts).
 */
export type EraVerdict = { at: string } & (
  | { era: 'legacy' }
  | { era: 'modern'; discover: Record<string, unknown> }
);

/** The smallest and largest value of each limit that a server may have of its own. */
export const LIMIT_RANGES = {
  memoryMb: { least: 16, most: 1_048_576 },
  processes: { least: 4, most: 65_536 },
  openFiles: { least: 64, most: 1_048_576 },
  callTimeoutSeconds: { least: 1, most: 3_600 },
} as const;

export type LimitName = keyof typeof LIMIT_RANGES;

const limitNames = Object.keys(LIMIT_RANGES) as LimitName[];

/** Limits of one server in place of those of the service (contract §7.5); what is absent is as the settings say. */
export type ServerLimits = Partial<Record<LimitName, number>>;

/** Returns the limits of the processes of a server: its own, and otherwise those of its entry (contract §3.3). */
export function limitsBeside(ofEntry: ServerLimits | null | undefined, own: ServerLimits): ServerLimits {
  return { ...ofEntry, ...own };
}

/** Returns the limits after a change, in which null removes one and an absent one stays. */
export function changedLimits(
  before: ServerLimits,
  change: Partial<Record<LimitName, number | null>>,
): ServerLimits {
  const pairs = limitNames.map((name) => [name, name in change ? change[name] : before[name]] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== null && value !== undefined));
}

/** Lowers a limit of a server to that of this process, such as `Max open files`, which no child can exceed (contract §3.3). */
export function withinOwnLimit(limit: number, name: string): number {
  return Math.min(limit, ownLimit(name));
}

function ownLimit(name: string): number {
  const row = ownLimits().find((line) => line.startsWith(`${name} `));
  const [, hard = 'unlimited'] = row?.slice(name.length).trim().split(/\s+/) ?? [];
  return hard === 'unlimited' ? Infinity : Number(hard);
}

function ownLimits(): string[] {
  try {
    return readFileSync('/proc/self/limits', 'utf8').split('\n');
  } catch {
    // A host without /proc has no sandbox either: prlimit reports a limit that is too high.
    return [];
  }
}
