import { OutboundError } from './outbound-error.js';

/** A time limit over a whole request, joined with the caller's own signal. */
export class Deadline {
  /** Set once the time is over. */
  error: OutboundError | null = null;
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly onAbort = (): void => this.controller.abort(this.outer?.reason);

  constructor(
    timeoutMs: number,
    private readonly outer: AbortSignal | null | undefined,
  ) {
    this.timer = setTimeout(() => this.expire(), timeoutMs);
    if (outer?.aborted) this.onAbort();
    outer?.addEventListener('abort', this.onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Ends the time limit; the caller's signal stays joined until the body has ended. */
  clear(): void {
    clearTimeout(this.timer);
  }

  /** Releases timer and signal after the request. */
  release(): void {
    this.clear();
    this.outer?.removeEventListener('abort', this.onAbort);
  }

  private expire(): void {
    this.error = new OutboundError('timed_out', 'The server did not respond in time.');
    this.controller.abort(this.error);
  }
}
