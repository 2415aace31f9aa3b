import type { ServerResponse } from 'node:http';
import { ProtocolErrorCode, type ProtocolError } from '@modelcontextprotocol/server';
import { IDENTITY } from '../protocol/server-identity.js';
import type { DirectCall } from './direct-call.js';

type Loose = Record<string, unknown>;

/** Answers a call as the SDK's server would, in one piece. */
export function sendResult(response: ServerResponse, call: DirectCall, result: Loose): void {
  const told = call.era === 'stateless' ? stamped(result) : result;
  send(response, 200, { result: told, jsonrpc: '2.0', id: call.id });
}

export function sendFault(
  response: ServerResponse,
  call: DirectCall,
  { code, message, data }: ProtocolError,
): void {
  const isBadRequest =
    call.era === 'stateless' && code === Number(ProtocolErrorCode.MissingRequiredClientCapability);
  const error = { code, message, ...(data !== undefined && { data }) };
  send(response, isBadRequest ? 400 : 200, { jsonrpc: '2.0', id: call.id, error });
}

/** Of 2026-07-28: every result says what it is, and who answers. */
function stamped(result: Loose): Loose {
  const meta = { ...(result._meta as Loose | undefined), 'io.modelcontextprotocol/serverInfo': IDENTITY };
  return { ...result, resultType: result.resultType ?? 'complete', _meta: meta };
}

function send(response: ServerResponse, status: number, message: Loose): void {
  if (response.destroyed || response.headersSent) return;
  const body = JSON.stringify(message);
  response.statusCode = status;
  response.setHeader('content-type', 'application/json');
  response.setHeader('content-length', Buffer.byteLength(body));
  // As text, in one piece: then head and body leave in one write.
  response.end(body);
}
