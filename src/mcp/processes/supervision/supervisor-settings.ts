import { DEFAULT_LIMITS, type MessageLimits } from '../connection/message-limits.js';
import type { StopLadder } from './end-process.js';
import type { ChildSettings } from './start-process.js';

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
  callsPerProcess: 32,
  callsInAll: 256,
  callsPerCaller: 32,
  queueLength: 256,
  patienceMs: 5_000,
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
