import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { CallVerdict } from '../../mcp/access/server-and-tool-refusals.js';
import { McpError, McpUnavailable } from '../../mcp/processes/connection/mcp-errors.js';
import { type CallEnd, endWithError } from '../../mcp/server-tools/tool-arguments-and-outcomes.js';
import { ApprovalOutdated } from '../approvals/approval.errors.js';
import { LeaseOver } from '../calls/exchange.js';
import { answerRefused, problemResult, toolFailure } from '../calls/tool-results-and-refusals.js';

/** The code of errors that JSON-RPC leaves to the service. */
const REFUSED = -32_000;

/**
 * Passes a server's own JSON-RPC error on unchanged. A server that gave no response is reported by its sentence, and a
 * call that the agent's own calls hold up by its reason too (contract §7.5).
 */
export function asProtocolError(error: unknown): unknown {
  if (error instanceof McpError) return new ProtocolError(error.code, error.message, error.data);
  if (!(error instanceof McpUnavailable)) return error;
  const { kind, reason, retryAfterSeconds } = error;
  if (kind === 'own_calls') return new ProtocolError(REFUSED, reason, { reason: kind, retryAfterSeconds });
  return new ProtocolError(ProtocolErrorCode.InternalError, reason);
}

type Loose = Record<string, unknown>;

/** Returns how a call ended that failed, for its record. */
export function endOfFailure(error: unknown): CallEnd {
  if (error instanceof CallWithdrawn) return { outcome: 'refused', reason: error.refusal.reason };
  if (error instanceof ApprovalOutdated) return { outcome: 'refused', reason: error.reason };
  return error instanceof LeaseOver ? { outcome: 'refused', reason: 'lease_lost' } : endWithError(error);
}

/** Returns the result of a call that failed. @throws {ProtocolError} {LeaseOver} */
export function answerFailed(error: unknown, name: string): Loose {
  if (error instanceof CallWithdrawn) return answerRefused(error.refusal, name);
  if (error instanceof ApprovalOutdated) return problemResult(error);
  if (error instanceof McpUnavailable && error.kind !== 'own_calls') return toolFailure(error.reason);
  throw asProtocolError(error);
}

/** A call that was permitted when it came, and no longer when its server was ready. */
export class CallWithdrawn extends Error {
  constructor(readonly refusal: Extract<CallVerdict, { allowed: false }>) {
    super(refusal.reason);
  }
}
