import type { ServerResponse } from 'node:http';

/** Answers with a JSON-RPC error outside of any exchange. */
export function sendRpcError(response: ServerResponse, status: number, code: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}
