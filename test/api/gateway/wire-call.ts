import type { Caller } from '../../support/caller.js';
import type { Loose } from '../../support/wire.js';

/** Sends the requests of both eras without a client, for those that the official clients do not send or show. */
export interface WireAnswer {
  status: number;
  headers: Record<string, string>;
  /** The JSON-RPC response, from a JSON body or the last event of a stream. */
  message: Loose;
  text: string;
}

const ACCEPT = 'application/json, text/event-stream';

/** Sends a request of 2026-07-28, which needs no session. */
export function modern(
  agent: Caller,
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<WireAnswer> {
  const { frame, headers: own } = modernRequest(method, params);
  return post(agent, frame, { ...own, ...headers });
}

/** Opens the stream of change notifications of 2026-07-28. */
export function subscribe(agent: Caller) {
  const { frame, headers } = modernRequest('subscriptions/listen', {
    notifications: { toolsListChanged: true },
  });
  const rawBody = JSON.stringify(frame);
  return agent.open('POST', '/mcp', {
    rawBody,
    headers: { accept: ACCEPT, 'content-type': 'application/json', ...headers },
  });
}

/** Returns the frame and the headers of a request of 2026-07-28. */
export function modernRequest(method: string, params: Record<string, unknown>) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
    ...(params._meta as object | undefined),
  };
  const name = params.name ?? params.uri;
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
  };
  return { frame: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }, headers };
}

/** Begins a session of 2025-11-25. */
export async function session(
  agent: Caller,
  headers: Record<string, string> = {},
  capabilities: object = {},
): Promise<{
  id: string;
  request: (
    method: string,
    params?: Record<string, unknown>,
    headers?: Record<string, string>,
  ) => Promise<WireAnswer>;
}> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities,
    clientInfo: { name: 'wire', version: '1' },
  };
  const greeted = await post(agent, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, headers);
  const id = greeted.headers['mcp-session-id']!;
  await post(agent, { jsonrpc: '2.0', method: 'notifications/initialized' }, { 'mcp-session-id': id });
  let last = 0;
  return {
    id,
    request: (method, given = {}, more = {}) =>
      post(
        agent,
        { jsonrpc: '2.0', id: (last += 1), method, params: given },
        { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25', ...more },
      ),
  };
}

/** Sends a tools/call of a session, alone or as a batch, and returns how to lose its connection. */
export function lostCall(
  agent: Caller,
  sessionId: string,
  params: Record<string, unknown>,
  { isBatch = false } = {},
) {
  const lost = new AbortController();
  const call = { jsonrpc: '2.0', id: 'lost', method: 'tools/call', params };
  const frame = isBatch ? [call] : call;
  const headers = { 'mcp-session-id': sessionId, 'mcp-protocol-version': '2025-11-25' };
  const calling = agent.open('POST', '/mcp', {
    rawBody: JSON.stringify(frame),
    headers: { accept: ACCEPT, 'content-type': 'application/json', ...headers },
    signal: lost.signal,
  });
  calling.catch(() => undefined);
  return () => lost.abort();
}

export async function post(
  agent: Caller,
  frame: unknown,
  headers: Record<string, string> = {},
  path = '/mcp',
): Promise<WireAnswer> {
  const body = typeof frame === 'string' ? frame : JSON.stringify(frame);
  const response = await agent.open('POST', path, {
    rawBody: body,
    headers: { accept: ACCEPT, 'content-type': 'application/json', ...headers },
  });
  const text = await response.body.text();
  return {
    status: response.statusCode,
    headers: response.headers as Record<string, string>,
    message: messageIn(text),
    text,
  };
}

function messageIn(text: string): Loose {
  const data = text.split('\n').filter((line) => line.startsWith('data: {'));
  const json = data.length > 0 ? data.at(-1)!.slice(6) : text;
  return (json.startsWith('{') ? JSON.parse(json) : {}) as Loose;
}
