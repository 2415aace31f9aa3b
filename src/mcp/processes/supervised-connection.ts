import { cancellationBy } from './cancellation.js';
import type { StopLadder } from './child-server.js';
import type { McpConnection, RequestOptions } from './mcp-connection.js';
import { McpUnavailable } from './mcp-errors.js';
import type { SlotHolder } from './process-slots.js';

/** Opens the connection for its holder; told by `signal` when nobody wants it any more. */
export type Opener = (holder: SlotHolder, signal: AbortSignal) => Promise<McpConnection>;

/**
 * One connection of one scope from the first call on: starting, then live, then ended, never back. Calls join
 * it at once and wait for the start together (that is the single flight). Whoever ends it says why, and every
 * call under way gets that reason at once, not when the process is gone.
 */
export class SupervisedConnection implements SlotHolder {
  readonly since = new Date();
  /** The live connection, or null before and after. */
  connection: McpConnection | null = null;
  inFlight = 0;
  private readonly opening: Promise<McpConnection>;
  private readonly abort = new AbortController();
  /** How to refuse each that is under way; not one promise that all race with: it would keep every result. */
  private readonly underWay = new Set<(fault: unknown) => void>();
  private lastUse = Date.now();
  private ended: Promise<void> | null = null;
  /** Why it took no call, or takes none any more: the start's own fault before all others. */
  private fault: unknown = null;
  private onQuiet: () => void = () => undefined;

  constructor(
    readonly scope: string,
    readonly revision: string,
    open: Opener,
  ) {
    this.opening = open(this, this.abort.signal).then(
      (connection) => (this.connection = connection),
      (fault: unknown) => {
        this.fault ??= fault;
        throw fault;
      },
    );
    this.opening.catch(() => undefined);
  }

  /** False once it is ending or has ended: the next call needs another one. */
  get isUsable(): boolean {
    return this.ended === null;
  }

  /** Settles with the start; rejects where it failed. */
  get started(): Promise<McpConnection> {
    return this.opening;
  }

  async request(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions,
  ): Promise<Record<string, unknown>> {
    return this.use((connection) => connection.request(method, params, options), options.signal);
  }

  /**
   * Runs `work` on the live connection, counted as use, and broken off when the connection is ended. A caller
   * who gives up during the start is let go at once; the start goes on for the others.
   */
  async use<T>(work: (connection: McpConnection) => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.inFlight += 1;
    try {
      return await this.unlessEnded(this.connection ? work(this.connection) : this.onceLive(work, signal));
    } finally {
      this.inFlight -= 1;
      this.lastUse = Date.now();
      if (this.inFlight === 0) this.onQuiet();
    }
  }

  idleSince(): number | null {
    return this.inFlight === 0 && this.connection !== null && this.isUsable ? this.lastUse : null;
  }

  giveWay(): Promise<void> {
    return this.end(
      new McpUnavailable('stopped', 'The server was idle and gave way to another one. Try again.'),
    );
  }

  /** Ends it for good; resolves when its process and all descendants are gone. The first reason given counts. */
  end(fault: McpUnavailable, ladder?: StopLadder): Promise<void> {
    this.ended ??= this.shut(fault, ladder);
    return this.ended;
  }

  /** Lets the calls under way finish, for so long at most, then ends it. */
  async endWhenQuiet(fault: McpUnavailable, withinMs: number, ladder?: StopLadder): Promise<void> {
    if (this.inFlight > 0) await this.quiet(withinMs);
    await this.end(fault, ladder);
  }

  private async onceLive<T>(
    work: (connection: McpConnection) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const { cancelled, off } = cancellationBy(signal);
    const connection = await Promise.race([this.opening, cancelled]).finally(off);
    return work(connection);
  }

  private unlessEnded<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.fault !== null) reject(this.fault);
      this.underWay.add(reject);
      const settle =
        <Value>(finish: (value: Value) => void) =>
        (value: Value): void => {
          this.underWay.delete(reject);
          finish(value);
        };
      work.then(settle(resolve), settle(reject));
    });
  }

  private async shut(fault: McpUnavailable, ladder?: StopLadder): Promise<void> {
    this.fault ??= fault;
    for (const refuse of this.underWay) refuse(this.fault);
    this.abort.abort();
    const connection = await this.opening.catch(() => null);
    this.connection = null;
    await connection?.close(ladder);
  }

  /** Several may wait: whoever drains it twice. */
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
