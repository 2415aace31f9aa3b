import type { CallVerdict } from '../../../mcp/access/call-verdict.js';
import { endWithError, type CallEnd } from '../../../mcp/installed-servers/tools/call-outcome.js';
import { McpUnavailable } from '../../../mcp/processes/connection/mcp-errors.js';
import { ApprovalOutdated } from '../approvals/approval.errors.js';
import { LeaseOver } from '../leases/lease-over.js';
import { answerRefused } from './refused-call.js';
import { asProtocolError } from './server-error.js';
import { problemResult, toolFailure } from './tool-result.js';

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
