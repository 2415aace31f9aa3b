import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { McpError, McpUnavailable } from '../../../mcp/processes/mcp-errors.js';

/** A server's own JSON-RPC error goes on as it came; one that gave no answer is told by its sentence. */
export function asProtocolFault(fault: unknown): unknown {
  if (fault instanceof McpError) return new ProtocolError(fault.code, fault.message, fault.data);
  if (fault instanceof McpUnavailable)
    return new ProtocolError(ProtocolErrorCode.InternalError, fault.reason);
  return fault;
}
