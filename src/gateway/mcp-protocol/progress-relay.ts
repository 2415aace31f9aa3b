import type { ServerContext } from '@modelcontextprotocol/server';
import { cutToBytes } from '../../platform/http/text-and-instant-rules.js';
import { withMarks } from '../../platform/json/exact-json.js';

/** Returns the text of a progress notification, cut to so many bytes; other values are not text. */
export function cutProgress(message: unknown, mostBytes: number): unknown {
  return typeof message === 'string' ? cutToBytes(message, mostBytes) : message;
}

/**
 * The longest notifications that one request relays. The SDK's stream cannot say how much its client has read, so the
 * sum is limited; the result comes in any case.
 */
const MOST_LONGEST = 16;

/** Passes a server's progress on to the agent that asked for it, and resolves once all of it has been sent. */
export class ProgressRelay {
  /** Absent where the agent gave no progress token. */
  readonly onProgress?: (progress: Record<string, unknown>) => void;
  private readonly sending = new Set<Promise<void>>();
  private left: number;

  /** @param longest text of a notification in bytes (`MCP_NOTIFICATION_MAX_BYTES`) */
  constructor(
    private readonly context: ServerContext,
    longest: number,
  ) {
    this.left = MOST_LONGEST * longest;
    const progressToken = context.mcpReq._meta?.progressToken;
    if (progressToken === undefined) return;
    this.onProgress = ({ progress, total, message }) =>
      this.relay({ progress, total, message: cutProgress(message, longest), progressToken });
  }

  /** A result must not overtake its own progress: many clients drop what comes after it. */
  async sent(): Promise<void> {
    await Promise.all(this.sending);
  }

  private relay(params: Record<string, unknown>): void {
    this.left -= Buffer.byteLength(JSON.stringify(params));
    if (this.left < 0) return;
    const notified = this.context.mcpReq.notify({
      method: 'notifications/progress',
      params: withMarks(params),
    });
    const sent = notified
      // An agent that has gone away misses its progress only.
      .catch(() => undefined)
      .finally(() => this.sending.delete(sent));
    this.sending.add(sent);
  }
}
