import type { ServerResponse } from 'node:http';

/** Sends a JSON-RPC error. @param id of the request that it answers; null where it belongs to none */
export function sendRpcError(
  response: ServerResponse,
  status: number,
  code: number,
  message: string,
  id: string | number | null = null,
): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id }));
}

/** Sends 405. Clients then go on without the stream. */
export function sendMethodNotAllowed(response: ServerResponse, message: string): void {
  response.setHeader('allow', 'POST, DELETE');
  sendRpcError(response, 405, SERVER_ERROR, message);
}

/** Sends the same response for a session that does not exist and for one that belongs to another agent. */
export function sendSessionNotFound(response: ServerResponse): void {
  sendRpcError(response, 404, SESSION_NOT_FOUND, 'Session not found: initialize again');
}

const SERVER_ERROR = -32_000;
const SESSION_NOT_FOUND = -32_001;
