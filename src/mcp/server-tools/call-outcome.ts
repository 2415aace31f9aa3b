import { McpError, McpUnavailable, type UnavailableKind } from '../processes/connection/mcp-errors.js';

/**
 * How a tool call ended (contract §8.2). `tool_error`: the tool or its server responded with an error; `refused`: the
 * call was not allowed; `unavailable`: the server gave no response; `unknown`: the service died while the call ran.
 */
export const callOutcomes = [
  'ok',
  'tool_error',
  'refused',
  'timeout',
  'cancelled',
  'unavailable',
  'unknown',
] as const;
export type CallOutcome = (typeof callOutcomes)[number];

/** The end of a call. `reason` is a stable word where the outcome alone does not say enough. */
export interface CallEnd {
  outcome: CallOutcome;
  reason: string | null;
}

/** The end of a call, and the result that its caller gets. */
export interface EndedCall extends CallEnd {
  result: Record<string, unknown>;
}

const OUTCOME_OF: Partial<Record<UnavailableKind, CallOutcome>> = {
  timed_out: 'timeout',
  cancelled: 'cancelled',
};

/** Returns how a call ended that gave this result. */
export function endWith(result: Record<string, unknown>): CallEnd {
  return { outcome: result.isError === true ? 'tool_error' : 'ok', reason: null };
}

/** Returns how a call ended that failed with this error. */
export function endWithError(error: unknown): CallEnd {
  if (error instanceof McpError) return { outcome: 'tool_error', reason: 'rpc_error' };
  if (error instanceof McpUnavailable)
    return { outcome: OUTCOME_OF[error.kind] ?? 'unavailable', reason: error.kind };
  return { outcome: 'unavailable', reason: 'internal' };
}

/**
 * Waits for a call. A server that is busy, dead or slow, or that responds with an error, gives a result with `isError`
 * (contract §7).
 */
export async function endOf(call: Promise<Record<string, unknown>>): Promise<EndedCall> {
  try {
    const result = await call;
    return { result, ...endWith(result) };
  } catch (error) {
    if (error instanceof McpUnavailable) return { result: errorResult(error.reason), ...endWithError(error) };
    if (error instanceof McpError) return { result: errorResult(error.message), ...endWithError(error) };
    throw error;
  }
}

/** Returns a tool error in the form that a model reads. */
export function errorResult(text: string): Record<string, unknown> {
  return { content: [{ type: 'text', text }], isError: true };
}
