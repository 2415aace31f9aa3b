import { McpUnavailable } from './mcp-errors.js';

/**
 * The time of one call: a limit that begins anew with each progress notice, a hard one that nothing moves, and
 * the caller's own signal. (The SDK looks at its hard limit only when progress comes, so it can be overrun.)
 * The timers are ordinary ones, not unref-ed: an answer is owed as long as the call runs.
 */
export class CallClock {
  /** Why the call was broken off, once it was. */
  fault: McpUnavailable | null = null;
  private readonly controller = new AbortController();
  private readonly hardTimer: NodeJS.Timeout;
  private timer: NodeJS.Timeout;
  private readonly onCancel = (): void =>
    this.breakOff(new McpUnavailable('cancelled', 'The call was cancelled.'));

  constructor(
    private readonly timeoutMs: number,
    maxTotalMs: number,
    private readonly outer?: AbortSignal,
  ) {
    this.timer = this.startTimer();
    this.hardTimer = setTimeout(
      () => this.breakOff(slow(`within ${seconds(maxTotalMs)}, the longest a call may take`)),
      maxTotalMs,
    );
    if (outer?.aborted) this.onCancel();
    outer?.addEventListener('abort', this.onCancel, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  renew(): void {
    clearTimeout(this.timer);
    if (!this.fault) this.timer = this.startTimer();
  }

  stop(): void {
    clearTimeout(this.timer);
    clearTimeout(this.hardTimer);
    this.outer?.removeEventListener('abort', this.onCancel);
  }

  private startTimer(): NodeJS.Timeout {
    return setTimeout(() => this.breakOff(slow(`within ${seconds(this.timeoutMs)}`)), this.timeoutMs);
  }

  private breakOff(fault: McpUnavailable): void {
    this.fault ??= fault;
    this.controller.abort(this.fault);
  }
}

function slow(limit: string): McpUnavailable {
  return new McpUnavailable(
    'timed_out',
    `The server did not answer ${limit}. It may still be working on it: check before you try again.`,
  );
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
