import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { McpError, McpUnavailable } from '../../../mcp/processes/connection/mcp-errors.js';

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
