import { Deadline } from './deadline.js';
import { McpUnavailable } from './mcp-errors.js';

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
