import type { AnswerMask } from './answer-mask.js';
import type { EraVerdict } from '../server-description.js';
import type { Refusals } from '../network/refusals.js';
import type { StopLadder } from '../supervision/end-process.js';
import type { ProcessRow } from '../supervision/process-table.js';
import type { MessageLimits } from './message-limits.js';
import type { StartPhase } from './mcp-errors.js';
import type { ShortRequests } from './short-requests.js';

/** What a connection needs beside its transport: the server behind it, and the listeners of its events. */
export interface ConnectionSetup {
  /** Masks the secrets of the server in what it sends. */
  mask: AnswerMask;
  prior?: EraVerdict;
  startTimeoutMs: number;
  limits: MessageLimits;
  signal?: AbortSignal;
  phase?: (phase: StartPhase) => void;
  pid: number | null;
  stderrTail: () => string;
  /** Adds a line to the log of the server. */
  note: (line: string) => void;
  processes: (table: readonly ProcessRow[]) => ProcessRow[];
  storedBytes: (most: number) => Promise<number>;
  /** Where requests need not go through the SDK's client, see `ShortRequests`. */
  short?: ShortRequests;
  /** What the network rule of the server refuses; null for a server in the host's network. */
  refusals?: Refusals | null;
  /** Whether requests belong to a session that the server may forget; absent for a process. */
  hasSession?: () => boolean;
  end: (ladder?: StopLadder) => Promise<void>;
  /** Why the transport ended, for people. */
  endReason: () => Promise<string>;
}
