import { McpError, McpUnavailable } from '../../processes/connection/mcp-errors.js';
import type { CallResult } from './tool-calls.repository.js';

/** How a tool call ended, and the result that its caller gets. */
export interface CallOutcome {
  result: Record<string, unknown>;
  ended: CallResult;
}

/**
 * Waits for a call. A server that is busy, dead or slow, or that responds with an error, gives a result with `isError`
 * (contract §7).
 */
export async function outcomeOf(call: Promise<Record<string, unknown>>): Promise<CallOutcome> {
  try {
    const result = await call;
    return { result, ended: result.isError === true ? 'tool_error' : 'ok' };
  } catch (error) {
    if (error instanceof McpUnavailable) return { result: errorResult(error.reason), ended: 'failed' };
    if (error instanceof McpError) return { result: errorResult(error.message), ended: 'tool_error' };
    throw error;
  }
}

/** Returns a tool error in the form that a model reads. */
export function errorResult(text: string): Record<string, unknown> {
  return { content: [{ type: 'text', text }], isError: true };
}
