import type { ChildSettings, StopLadder } from './child-server.js';

/** Bounds of the supervisor; the defaults are those of spec §7. */
export interface SupervisorSettings extends ChildSettings {
  /** `MCP_ALLOWED_HOSTS` */
  allowedHosts: readonly string[];
  /** `MCP_MAX_PROCESSES` */
  maxProcesses: number;
  /** `MCP_PROCESS_MEMORY_MB`: resident, with descendants. */
  processMemoryMb: number;
  /** `MCP_IDLE_SECONDS` */
  idleSeconds: number;
  /** `TOOL_CALL_TIMEOUT_MS`: anew with each progress notice. */
  callTimeoutMs: number;
  callHardLimitMs: number;
  startTimeoutMs: number;
  callsPerProcess: number;
  callsInAll: number;
  queueLength: number;
  /** How long a call waits for a place, a free process or the end of a back-off before it is told to come again. */
  patienceMs: number;
  backOffMs: { first: number; longest: number };
  crashLimit: { crashes: number; withinMs: number };
  /** How long running calls may take when a connection is replaced. */
  drainMs: number;
  /** How often memory and idleness are looked at. */
  watchMs: number;
  /** What running calls get at shutdown, and the shorter ladder after it: ten seconds have to do for all. */
  shutdownGraceMs: number;
  shutdownLadder: StopLadder;
}

export function supervisorSettings(given: ChildSettings & Partial<SupervisorSettings>): SupervisorSettings {
  return { ...DEFAULTS, ...given };
}

const DEFAULTS = {
  allowedHosts: [],
  maxProcesses: 64,
  processMemoryMb: 1024,
  idleSeconds: 600,
  callTimeoutMs: 60_000,
  callHardLimitMs: 300_000,
  startTimeoutMs: 30_000,
  callsPerProcess: 32,
  callsInAll: 256,
  queueLength: 256,
  patienceMs: 5_000,
  backOffMs: { first: 1_000, longest: 60_000 },
  crashLimit: { crashes: 5, withinMs: 600_000 },
  drainMs: 60_000,
  watchMs: 1_000,
  shutdownGraceMs: 4_000,
  shutdownLadder: { afterEndOfInputMs: 1_000, afterTerminateMs: 1_500 },
};
