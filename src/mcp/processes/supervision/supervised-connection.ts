import { cancelledCall, unlessAborted } from '../connection/deadlines.js';
import type { McpConnection } from '../connection/mcp-connection.js';
import { McpUnavailable } from '../connection/mcp-errors.js';
import { ownerOf, type ServerLimits } from '../server-description-and-limits.js';
import type { StopLadder } from './end-process.js';
import type { SlotHolder } from './call-admission-and-process-slots.js';
import type { CallOptions } from './supervisor-settings.js';

/** Opens the connection for its holder; `signal` aborts when the connection is no longer needed. */
export type Opener = (holder: SlotHolder, signal: AbortSignal) => Promise<McpConnection>;

/**
 * One connection of one scope from the first call on. It is starting, then live, then ended, and never goes back. Calls
 * join it at once and wait for the same start (single flight). Ending it takes a reason, and every call in flight fails
 * with that reason at once, before the process is gone.
 */
export class SupervisedConnection implements SlotHolder {
  readonly since = new Date();
  readonly owner: string | null;
  /** The live connection, or null before and after. */
  connection: McpConnection | null = null;
  inFlight = 0;
  /** Whether its requests belong to a session that a remote server may forget; known once it is live. */
  hasSession = false;
  private readonly opening: Promise<McpConnection>;
  private readonly abort = new AbortController();
  /** Rejects each call in flight. One promise that all calls race with would keep every result in memory. */
  private readonly inFlightCalls = new Set<(error: unknown) => void>();
  private lastUse = performance.now();
  /** When the tools that the start listed had been compared with the approved ones, by `performance.now()`. */
  private comparedAt = Infinity;
  private ended: Promise<void> | null = null;
  /** Why the connection takes no calls. An error of the start takes precedence over the reason of a later end. */
  private refusal: unknown = null;
  private onQuiet: () => void = () => undefined;

  constructor(
    readonly scope: string,
    readonly revision: string,
    open: Opener,
    readonly limits: ServerLimits = {},
  ) {
    this.owner = ownerOf(scope);
    this.opening = open(this, this.abort.signal).then(
      (connection) => {
        this.comparedAt = performance.now();
        this.hasSession = connection.hasSession;
        return (this.connection = connection);
      },
      (error: unknown) => {
        this.refusal ??= error;
        throw error;
      },
    );
    this.opening.catch(() => undefined); // Calls and `started` observe the rejection.
  }

  /** False once the connection is ending or has ended; the next call then needs a new one. */
  get isUsable(): boolean {
    return this.ended === null;
  }

  /** Resolves when the start succeeds, and rejects when it fails. */
  get started(): Promise<McpConnection> {
    return this.opening;
  }

  async request(
    method: string,
    params: Record<string, unknown>,
    { decision, ...options }: CallOptions,
  ): Promise<Record<string, unknown>> {
    return this.use(async (connection) => {
      if (decision && decision.decidedAt <= this.comparedAt) await decision.confirm();
      return connection.request(method, params, options);
    }, options.signal);
  }

  /**
   * Runs `work` on the live connection. It counts as use, and fails when the connection is ended. A caller that cancels
   * during the start is released at once, while the start goes on for the others.
   */
  async use<T>(work: (connection: McpConnection) => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.inFlight += 1;
    try {
      return await this.unlessEnded(this.connection ? work(this.connection) : this.onceLive(work, signal));
    } finally {
      this.inFlight -= 1;
      this.lastUse = performance.now();
      if (this.inFlight === 0) this.onQuiet();
    }
  }

  idleSince(): number | null {
    return this.inFlight === 0 && this.connection !== null && this.isUsable ? this.lastUse : null;
  }

  giveWay(): Promise<void> {
    return this.end(
      new McpUnavailable('stopped', 'The server was idle and was stopped for another one. Try again.'),
    );
  }

  /** Ends the connection for good; resolves when its process and all descendants are gone. The first reason counts. */
  end(reason: McpUnavailable, ladder?: StopLadder): Promise<void> {
    this.ended ??= this.shut(reason, ladder);
    return this.ended;
  }

  /** Gives the calls in flight `withinMs` to finish, then ends the connection. */
  async endWhenQuiet(reason: McpUnavailable, withinMs: number, ladder?: StopLadder): Promise<void> {
    if (this.inFlight > 0) await this.quiet(withinMs);
    await this.end(reason, ladder);
  }

  private async onceLive<T>(
    work: (connection: McpConnection) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const connection = await unlessAborted(this.opening, signal).catch((error: unknown) => {
      throw signal?.aborted ? cancelledCall() : error;
    });
    return work(connection);
  }

  private unlessEnded<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.refusal !== null) reject(this.refusal);
      this.inFlightCalls.add(reject);
      const settle =
        <Value>(finish: (value: Value) => void) =>
        (value: Value): void => {
          this.inFlightCalls.delete(reject);
          finish(value);
        };
      work.then(settle(resolve), settle(reject));
    });
  }

  private async shut(reason: McpUnavailable, ladder?: StopLadder): Promise<void> {
    this.refusal ??= reason;
    for (const refuse of this.inFlightCalls) refuse(this.refusal);
    this.abort.abort();
    const connection = await this.opening.catch(() => null); // A start that failed left no connection to close.
    this.connection = null;
    await connection?.close(ladder);
  }

  /** Resolves when no call is in flight. Several callers may wait, when the connection is drained twice. */
  private quiet(withinMs: number): Promise<void> {
    const others = this.onQuiet;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.onQuiet = () => {
        others();
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
