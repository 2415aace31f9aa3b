import type { JSONRPCErrorResponse } from '@modelcontextprotocol/client';
import { McpUnavailable } from './mcp-errors.js';

/**
 * Answers that a transport gives in a server's place, so that the one call concerned fails and no other. They
 * carry the error itself as `data`, which nothing that came as JSON can imitate.
 */
export function tooLargeAnswer(id: number | string): JSONRPCErrorResponse {
  return localAnswer(
    id,
    new McpUnavailable(
      'too_large',
      'The answer is larger than the service accepts (MCP_FRAME_MAX_BYTES), or nests too deep. Ask for less at a time.',
    ),
  );
}

export function brokenStreamAnswer(id: number | string): JSONRPCErrorResponse {
  return localAnswer(
    id,
    new McpUnavailable('unreachable', 'The connection to the server broke before it responded. Try again.'),
  );
}

export function localAnswer(id: number | string, error: McpUnavailable): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id, error: { code: -32603, message: error.reason, data: error } };
}
