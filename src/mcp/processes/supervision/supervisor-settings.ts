import { DEFAULT_LIMITS, type MessageLimits } from '../connection/frames.js';
import type { LogNotice, RequestOptions } from '../connection/mcp-connection.js';
import { DEFAULT_SLOTS } from './call-slots.js';
import type { StopLadder } from './end-process.js';
import type { ChildSettings } from './start-process.js';

/** A server that has just been started. */
export interface StartedServer {
  serverId: string;
  credentialSetId: string;
  revision: string;
}

/** The events that the supervisor reports to its owner. */
export interface SupervisorHooks {
  /** The server crashed too often with these credentials. The owner sets it, or the credential set, to `error`. */
  onCrashLimit(serverId: string, reason: string, credentialSetId: string): void;
  /**
   * The start of a connection has listed the server's tools, and the owner compares them with the approved ones. The
   * connection takes calls when this resolves; when it rejects, the start has failed (contract §7.5).
   */
  onStartListed(server: StartedServer, tools: unknown[]): Promise<void>;
  /**
   * A process of this scope is about to start. It starts when this resolves; the function that it returns is called when
   * the process has ended.
   */
  onStarting?(serverId: string, scope: string, signal: AbortSignal): Promise<() => void>;
  /** A connection takes calls: a process was started, or a remote server was reached. */
  onStarted?(serverId: string): void;
  /** The server reported a change of one of its lists. */
  onListChanged(serverId: string, what: 'tools' | 'prompts' | 'resources'): void;
  /** A subscribed resource has changed in the process of this scope. */
  onResourceUpdated?(serverId: string, scope: string, uri: string): void;
  /** The process of this scope, which one agent has for itself, has logged something. */
  onLogged?(serverId: string, scope: string, notice: LogNotice): void;
  /** A message for operators. It holds no secrets. */
  log?(serverId: string, message: string): void;
}

/** A right to call that was read before the call reached its connection. */
export interface EarlierDecision {
  /** `performance.now()` before the right was read. */
  decidedAt: number;
  /** Reads the right again, and throws where the call is no longer allowed. */
  confirm: () => Promise<void>;
}

export interface CallOptions extends RequestOptions {
  /** The request serves all agents, so it counts towards the calls of none (contract §7.5). */
  isForAll?: boolean;
  /**
   * Is confirmed where the tools of the connection were compared after the decision: a tool that the comparison
   * withholds must not be called with a right that is older.
   */
  decision?: EarlierDecision;
}

const DEFAULTS = {
  allowedHosts: [],
  noControlGroups: null,
  limits: DEFAULT_LIMITS,
  maxProcesses: 64,
  processMemoryMb: 1024,
  diskMb: 2_048,
  idleSeconds: 600,
  callTimeoutMs: 55_000,
  callHardLimitMs: 300_000,
  startTimeoutMs: 30_000,
  ...DEFAULT_SLOTS,
  backOffMs: { first: 1_000, longest: 60_000 },
  crashLimit: { crashes: 5, withinMs: 600_000 },
  drainMs: 60_000,
  watchMs: 1_000,
  watchDiskMs: 5_000,
  shutdownGraceMs: 4_000,
  shutdownLadder: { afterEndOfInputMs: 1_000, afterTerminateMs: 1_500 },
};

/** Limits of the supervisor. The defaults are those of contract §7.5. */
export interface SupervisorSettings extends ChildSettings {
  /** `OUTBOUND_ALLOWED_HOSTS` */
  allowedHosts: readonly string[];
  limits: MessageLimits;
  /** `MCP_MAX_PROCESSES` */
  maxProcesses: number;
  /** `MCP_PROCESS_MEMORY_MB`: memory (PSS), including descendants. */
  processMemoryMb: number;
  /** Why there are no control groups; null where there are. */
  noControlGroups: string | null;
  /** `MCP_DISK_MB`: the files in a server's own folders; 0 is off. */
  diskMb: number;
  /** `MCP_IDLE_SECONDS` */
  idleSeconds: number;
  /** `TOOL_CALL_TIMEOUT_MS`, restarted by each progress notification. */
  callTimeoutMs: number;
  /** `TOOL_CALL_HARD_LIMIT_MS` */
  callHardLimitMs: number;
  startTimeoutMs: number;
  /** `MCP_CALLS_PER_PROCESS` */
  callsPerProcess: number;
  /** `MCP_CALLS_TOTAL` */
  callsInAll: number;
  /** `MCP_CALLS_PER_AGENT` */
  callsPerCaller: number;
  queueLength: number;
  /**
   * How long a call waits for a call slot, a process slot or the end of a back-off before it is refused as
   * `busy`.
   */
  patienceMs: number;
  backOffMs: { first: number; longest: number };
  crashLimit: { crashes: number; withinMs: number };
  /** How long running calls may take to finish when a connection is replaced. */
  drainMs: number;
  /** How often memory and idleness are checked. */
  watchMs: number;
  /** How often the files of servers are counted. */
  watchDiskMs: number;
  /**
   * The time for running calls at shutdown, and the shorter stop ladder after it: a shutdown has ten seconds in all.
   */
  shutdownGraceMs: number;
  shutdownLadder: StopLadder;
}

export function supervisorSettings(given: ChildSettings & Partial<SupervisorSettings>): SupervisorSettings {
  return { ...DEFAULTS, ...given };
}
