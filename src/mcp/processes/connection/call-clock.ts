import { CallTimer } from './call-timer.js';
import { McpUnavailable } from './mcp-errors.js';

/**
 * The time of one call of the SDK's client, and the caller's own signal. (The SDK looks at its hard limit only when
 * progress comes, so it can be overrun.)
 */
export class CallClock {
  /** The reason why the call was aborted; null while it runs. */
  fault: McpUnavailable | null = null;
  private readonly controller = new AbortController();
  private readonly timer: CallTimer;
  private readonly onCancel = (): void =>
    this.breakOff(new McpUnavailable('cancelled', 'The call was cancelled.'));

  constructor(
    timeoutMs: number,
    maxTotalMs: number,
    private readonly outer?: AbortSignal,
  ) {
    this.timer = new CallTimer(timeoutMs, maxTotalMs, (fault) => this.breakOff(fault));
    if (outer?.aborted) this.onCancel();
    outer?.addEventListener('abort', this.onCancel, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  renew(): void {
    if (!this.fault) this.timer.renew();
  }

  stop(): void {
    this.timer.stop();
    this.outer?.removeEventListener('abort', this.onCancel);
  }

  private breakOff(fault: McpUnavailable): void {
    this.fault ??= fault;
    this.controller.abort(this.fault);
  }
}
