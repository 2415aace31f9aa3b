import { type Client, isSpecType, type PriorDiscovery } from '@modelcontextprotocol/client';
import { jsonText, withNumbers, withoutMarks } from '../../../platform/json/exact-json.js';
import type { EraVerdict } from '../server-description-and-limits.js';
import type { StopLadder } from '../supervision/end-process.js';
import type { ProcessRow } from '../supervision/process-table-and-folder-bytes.js';
import type { ChildSettings } from '../supervision/start-process.js';
import type { StderrRing } from '../supervision/stderr-ring.js';
import type { MessageLimits } from './frames.js';
import type { StartPhase } from './mcp-errors.js';

/** A verdict is valid for a day. Nothing else would detect an upgrade, because an upgraded server accepts the old handshake. */
function isFresh(verdict: EraVerdict, now = Date.now()): boolean {
  const age = now - Date.parse(verdict.at);
  return age >= 0 && age < MAX_AGE_MS;
}

/** The verdict in the SDK's form, or undefined where the server has to be probed. */
export function asPrior(verdict: EraVerdict | undefined): PriorDiscovery | undefined {
  if (!verdict || !isFresh(verdict)) return undefined;
  if (verdict.era === 'legacy') return { kind: 'legacy' };
  const { discover } = verdict;
  return isSpecType.DiscoverResult(discover) ? { kind: 'modern', discover } : undefined;
}

/** Returns the verdict that the client was given, or the one that it has just found, dated now. */
export function verdictOf(client: Client, given: EraVerdict | undefined): EraVerdict {
  if (given && asPrior(given)) return given;
  const discover = client.getDiscoverResult();
  const at = new Date().toISOString();
  return discover && client.getProtocolEra() === 'modern'
    ? { at, era: 'modern', discover: isShort(discover) ? { ...discover } : {} }
    : { at, era: 'legacy' };
}

/** It is read with every description of the server. One that is not kept costs a probe at each start. */
function isShort(discover: object): boolean {
  return Buffer.byteLength(JSON.stringify(discover)) <= LONGEST_DISCOVER_BYTES;
}

const LONGEST_DISCOVER_BYTES = 65_536;
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** A live connection to one MCP server, in whichever protocol era it speaks. */
export interface McpConnection {
  readonly protocolVersion: string;
  readonly era: 'modern' | 'legacy';
  readonly serverInfo: { name: string; version: string } | null;
  readonly capabilities: Record<string, unknown>;
  /** The instructions of the server for a model, or null. */
  readonly instructions: string | null;
  /** To be kept, with the server and its revision, and handed back as `prior`. */
  readonly verdict: EraVerdict;
  /** Whether requests belong to a session that a remote server may forget. */
  readonly hasSession: boolean;
  /** The process of a stdio server as this host counts it. */
  readonly pid: number | null;
  /**
   * Sends a request and answers the result as it came, but for the server's own secrets, which are masked.
   * Throws McpError for a JSON-RPC error, McpUnavailable where there is no usable answer.
   */
  request(
    method: string,
    params: Record<string, unknown>,
    options?: RequestOptions,
  ): Promise<Record<string, unknown>>;
  /** All entries of tools/list as they came, at most 2,000 and 100 pages. Throws McpStartFailure of phase `list`. */
  listTools(signal?: AbortSignal): Promise<unknown[]>;
  /** Ends the connection, and the process with all its descendants by the stop ladder. */
  close(ladder?: StopLadder): Promise<void>;
  /** The last lines of stderr, masked; empty for a remote server. */
  stderrTail(): string;
  /** What a process wrote to stdout that is no message; null where that is nothing. */
  readonly stray?: StrayOutput | null;
  /** Settles when the connection has ended, from whichever side. */
  readonly closed: Promise<{ reason: string }>;
  /** The processes of the server that this table has; none for a remote server. */
  processes(table: readonly ProcessRow[]): ProcessRow[];
  /** The bytes of the files in the server's own folders, counted up to `most`; 0 for a remote server. */
  storedBytes(most: number): Promise<number>;
  onListChanged?: (what: 'tools' | 'prompts' | 'resources') => void;
  /** The server has forgotten the session, which its stream of notifications shows. */
  onSessionLost?: () => void;
  /** A resource that was subscribed to has changed. */
  onResourceUpdated?: (uri: string) => void;
  /** The server has logged something. `notice` masks it, and is called only where it is passed on. */
  onLogged?: (notice: () => LogNotice) => void;
}

/** A log notification of a server (`notifications/message`). */
export interface LogNotice {
  level: string;
  logger?: string;
  data?: unknown;
}

/** Returns a log notification as a line of the server's log. */
export function logLineOf({ level, logger, data }: LogNotice): string {
  const said = withNumbers(data);
  const text = typeof said === 'string' ? said : (jsonText(said) ?? '');
  return withoutMarks(`[${level}] ${logger === undefined ? '' : `${logger}: `}${text}`);
}

/** How many lines on stdout were no messages, and the first of them, masked. */
export interface StrayOutput {
  count: number;
  first: string;
}

/** The parameters of `elicitation/create`, with the server's own secrets masked. */
export type ServerQuestion = Record<string, unknown>;

/** Times in milliseconds. */
export interface RequestOptions {
  signal?: AbortSignal;
  /** Calls `send` when the request may be sent, at last after every wait of its own; rejects where it may not. */
  begin?: (send: () => void) => Promise<void>;
  /** Starts again with each progress notification; default 60,000. */
  timeoutMs?: number;
  /** The hard limit whatever the progress; default 300,000. */
  maxTotalMs?: number;
  onProgress?: (params: Record<string, unknown>) => void;
  /** The id of the calling agent; requests without one have the same caller. */
  caller?: string;
  /**
   * Answers a question that the server asks while the request runs; absent where none is answered.
   * @param over aborts when the request is over
   */
  onQuestion?: (question: ServerQuestion, over: AbortSignal) => Promise<Record<string, unknown>>;
  /** Goes into `params._meta`; the progress token there is the connection's own. */
  meta?: Record<string, unknown>;
}

export interface OpenOptions extends ChildSettings {
  phase?: (phase: StartPhase) => void;
  /** For spawn and handshake together. */
  startTimeoutMs: number;
  prior?: EraVerdict;
  /** `host:port` of inner servers that may be reached (`OUTBOUND_ALLOWED_HOSTS`). */
  allowedHosts?: readonly string[];
  /** Default: those of contract §9.1. */
  limits?: MessageLimits;
  /** Where stderr is kept; one of its own where none is given. */
  ring?: StderrRing;
  signal?: AbortSignal;
}
