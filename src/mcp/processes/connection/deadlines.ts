import { McpUnavailable } from './mcp-errors.js';

/** The limits of a deadline in milliseconds, and the errors that its signal aborts with. */
export interface DeadlineLimits {
  /** Starts again with each renewal. */
  timeoutMs: number;
  /** Is never extended; equal to `timeoutMs` by default. */
  maxTotalMs?: number;
  /** Makes the error for the limit in milliseconds that was reached. */
  expired: (limitMs: number, isHardLimit: boolean) => Error;
  /** Makes the error for a caller who gave up. */
  cancelled: () => Error;
}

/**
 * A time limit joined with the signal of a caller who may give up before. It is reached once, with an error as the reason:
 * then `onReached` is called and `signal` aborts. The timer is not unref-ed, because the process owes a response as long as
 * the work runs. `stop` must be called when the work has ended: `AbortSignal.any` would keep a listener on a caller's signal
 * that lives longer.
 */
export class Deadline {
  /** Called when the limit is reached, or the caller gives up. Set it where no signal is needed, which costs more. */
  onReached: ((reason: Error) => void) | null = null;
  private over: Error | null = null;
  private controller: AbortController | null = null;
  private readonly hardEnd: number;
  private readonly maxTotalMs: number;
  private timer: NodeJS.Timeout | undefined;
  private readonly onCancel = (): void => this.abort(this.limits.cancelled());

  constructor(
    private readonly limits: DeadlineLimits,
    private readonly outer?: AbortSignal,
  ) {
    this.maxTotalMs = limits.maxTotalMs ?? limits.timeoutMs;
    this.hardEnd = performance.now() + this.maxTotalMs;
    outer?.addEventListener('abort', this.onCancel, { once: true });
    if (outer?.aborted) this.onCancel();
    else this.startTimer();
  }

  /** Why it was reached; null while it was not. */
  get reason(): Error | null {
    return this.over;
  }

  /** Made when it is first asked for. */
  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      if (this.over) this.controller.abort(this.over);
    }
    return this.controller.signal;
  }

  /** Starts the time-out again, up to the hard limit; does nothing after the end. */
  renew(): void {
    if (this.over) return;
    clearTimeout(this.timer);
    this.startTimer();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.onCancel);
  }

  private startTimer(): void {
    const left = Math.max(0, this.hardEnd - performance.now());
    const isHardLimit = left < this.limits.timeoutMs;
    const limitMs = isHardLimit ? this.maxTotalMs : this.limits.timeoutMs;
    this.timer = setTimeout(
      () => this.abort(this.limits.expired(limitMs, isHardLimit)),
      isHardLimit ? left : limitMs,
    );
  }

  private abort(error: Error): void {
    this.stop();
    this.over = error;
    this.controller?.abort(error);
    this.onReached?.(error);
  }
}

/**
 * Returns `work`, or a rejection with the reason of the signal as soon as it aborts. It is for work that does not listen
 * to a signal, and that goes on for others after one caller gave up.
 */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    const settle =
      <Value>(finish: (value: Value) => void) =>
      (value: Value): void => {
        signal.removeEventListener('abort', onAbort);
        finish(value);
      };
    work.then(settle(resolve), settle(reject));
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

/** The error of a call whose caller gave up. */
export const cancelledCall = (): McpUnavailable => new McpUnavailable('cancelled', 'The call was cancelled.');

/**
 * Returns the deadline of one call. Each progress notification renews `timeoutMs`; nothing extends `maxTotalMs`. (The
 * SDK checks its own hard limit only when progress arrives, so a call can overrun it.)
 */
export function callDeadline(timeoutMs: number, maxTotalMs: number, outer?: AbortSignal): Deadline {
  return new Deadline({ timeoutMs, maxTotalMs, expired: slowCall, cancelled: cancelledCall }, outer);
}

function slowCall(limitMs: number, isHardLimit: boolean): McpUnavailable {
  const limit = `within ${Math.round(limitMs / 100) / 10} s${isHardLimit ? ', the longest a call may take' : ''}`;
  return new McpUnavailable(
    'timed_out',
    `The server did not answer ${limit}. It may still be working on it: check before you try again.`,
  );
}

/** Returns the deadline of a start. A caller who gives up ends the start in the same way. */
export function startDeadline(ms: number, outer?: AbortSignal): Deadline {
  return new Deadline({ timeoutMs: Math.max(1, ms), expired: ended, cancelled: ended }, outer);
}

const ended = (): Error => new Error('The time for the start is over.');

/**
 * True when `work` settles within the time, either way; false otherwise. The timer is an ordinary one, cleared at
 * once: an unref-ed one would let a process end in the middle of a wait, one left behind would hold it up.
 */
export function settlesWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    const settle = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    work.then(settle, settle);
  });
}
