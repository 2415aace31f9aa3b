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
 * A time limit joined with the signal of a caller who may give up before. `signal` aborts once, with the error as its
 * reason. The timer is not unref-ed, because the process owes a response as long as the work runs. `stop` must be called
 * when the work has ended: `AbortSignal.any` would keep a listener on a caller's signal that lives longer.
 */
export class Deadline {
  private readonly controller = new AbortController();
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

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Starts the time-out again, up to the hard limit; does nothing after the end. */
  renew(): void {
    if (this.signal.aborted) return;
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
    this.controller.abort(error);
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
