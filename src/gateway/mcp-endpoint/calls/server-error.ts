import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { McpError, McpUnavailable } from '../../../mcp/processes/connection/mcp-errors.js';

/** Passes a server's own JSON-RPC error on unchanged. A server that gave no response is reported by its sentence. */
export function asProtocolError(error: unknown): unknown {
  if (error instanceof McpError) return new ProtocolError(error.code, error.message, error.data);
  if (error instanceof McpUnavailable)
    return new ProtocolError(ProtocolErrorCode.InternalError, error.reason);
  return error;
}
