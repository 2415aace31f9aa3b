import { McpUnavailable } from './mcp-errors.js';

/**
 * The time limits of one call: one that starts again with each progress notification, and a hard one that nothing
 * extends. The timer is not unref-ed, because the process owes a response as long as the call runs.
 */
export class CallTimer {
  private readonly hardEnd: number;
  private timer: NodeJS.Timeout;

  /** Times in milliseconds. @param onOver is called once, with the reason */
  constructor(
    private readonly timeoutMs: number,
    private readonly maxTotalMs: number,
    private readonly onOver: (fault: McpUnavailable) => void,
  ) {
    this.hardEnd = performance.now() + maxTotalMs;
    this.timer = this.start();
  }

  renew(): void {
    clearTimeout(this.timer);
    this.timer = this.start();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private start(): NodeJS.Timeout {
    const left = Math.max(0, this.hardEnd - performance.now());
    return left < this.timeoutMs
      ? setTimeout(
          () => this.onOver(slow(`within ${seconds(this.maxTotalMs)}, the longest a call may take`)),
          left,
        )
      : setTimeout(() => this.onOver(slow(`within ${seconds(this.timeoutMs)}`)), this.timeoutMs);
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
