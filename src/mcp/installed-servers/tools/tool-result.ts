import { McpError, McpUnavailable } from '../../processes/mcp-errors.js';
import type { CallResult } from './tool-calls.repository.js';

/** How a call of a tool ended, and what its caller is given. */
export interface CallEnd {
  result: Record<string, unknown>;
  ended: CallResult;
}

/** Runs a call; a server that is busy, dead or slow, or answers with an error, is a result with `isError` (spec §7). */
export async function endOf(call: Promise<Record<string, unknown>>): Promise<CallEnd> {
  try {
    const result = await call;
    return { result, ended: result.isError === true ? 'tool_error' : 'ok' };
  } catch (error) {
    if (error instanceof McpUnavailable) return { result: errorResult(error.reason), ended: 'failed' };
    if (error instanceof McpError) return { result: errorResult(error.message), ended: 'tool_error' };
    throw error;
  }
}

/** A tool's error in the form that a model reads. */
export function errorResult(text: string): Record<string, unknown> {
  return { content: [{ type: 'text', text }], isError: true };
}
