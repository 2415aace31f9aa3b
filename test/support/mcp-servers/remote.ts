import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer as OldMcpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { aServer } from './both-eras.mjs';

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A server on a free loopback port; `requests` holds the requests received. */
export interface Remote {
  port: number;
  host: string;
  url: string;
  requests: { method?: string; headers: IncomingHttpHeaders }[];
  close: () => Promise<void>;
}

export async function listen(handler: Handler): Promise<Remote> {
  const requests: Remote['requests'] = [];
  const server = createServer((request, response) => {
    requests.push({ method: request.method, headers: request.headers });
    handler(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { port, host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}/mcp`, requests, close };
}

/**
 * A server of the modern era only; `heard` holds what its tool `hang` logged.
 * @param guard decides about each request before the server does
 */
export async function modernServer(guard = withKey): Promise<Remote & { heard: string[] }> {
  const heard: string[] = [];
  const handler = createMcpHandler(() => aServer((word) => heard.push(word)), { legacy: 'reject' });
  return { ...(await listen(guard(toNodeHandler(handler)))), heard };
}

/** A server of the legacy era with sessions; a session deleted from `sessions` gets 404. */
export async function legacyServer(guard = withKey): Promise<Remote & { sessions: Map<string, unknown> }> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const remote = await listen(
    guard(async (request, response) => {
      const id = request.headers['mcp-session-id'];
      if (typeof id === 'string' && !sessions.has(id)) return response.writeHead(404).end();
      const transport = (typeof id === 'string' && sessions.get(id)) || (await newSession(sessions));
      return transport.handleRequest(request, response);
    }),
  );
  return { ...remote, sessions };
}

/** A server of the older transport: an event stream and POST. */
export async function sseServer(): Promise<Remote> {
  const sessions = new Map<string, SSEServerTransport>();
  return listen(
    withKey(async (request, response) => {
      const id = new URL(request.url ?? '', 'http://localhost').searchParams.get('sessionId');
      if (request.method === 'POST') return sessions.get(id ?? '')?.handlePostMessage(request, response);
      const transport = new SSEServerTransport('/messages', response);
      sessions.set(transport.sessionId, transport);
      return anOldServer().connect(transport);
    }),
  );
}

/** Answers the handshake and returns `text` for every tool call, as JSON or as an event stream. */
export function largeServer(
  text: unknown,
  contentType: 'application/json' | 'text/event-stream',
): Promise<Remote> {
  return listen(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const { id, method } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as {
      id?: number;
      method: string;
    };
    const hello = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'large', version: '1' },
    };
    const result = method === 'initialize' ? hello : { content: [{ type: 'text', text }] };
    if (id === undefined || method === 'server/discover')
      return response.writeHead(id === undefined ? 202 : 400).end();
    const answer = JSON.stringify({ jsonrpc: '2.0', id, result });
    response.writeHead(200, { 'content-type': contentType });
    return response.end(contentType === 'application/json' ? answer : `data: ${answer}\n\n`);
  });
}

/** Accepts a key that ends in `good-key`; `forbidden-key` gets 403, any other key 401. */
function withKey(handler: Handler): Handler {
  return (request, response) => {
    const key = request.headers.authorization;
    if (key?.endsWith('good-key')) return handler(request, response);
    return response
      .writeHead(key === 'Bearer forbidden-key' ? 403 : 401)
      .end('no entry for the key that you sent');
  };
}

async function newSession(
  sessions: Map<string, StreamableHTTPServerTransport>,
): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  await anOldServer().connect(transport);
  return transport;
}

function anOldServer(): OldMcpServer {
  const server = new OldMcpServer({ name: 'old', version: '1.0.0' });
  server.registerTool('echo', { inputSchema: { value: z.string() } }, ({ value }) => ({
    content: [{ type: 'text', text: value }],
  }));
  server.registerTool('work', { inputSchema: {} }, async (_given, { _meta, sendNotification }) => {
    const progressToken = _meta?.progressToken ?? 0;
    for (const progress of [1, 2, 3])
      await sendNotification({ method: 'notifications/progress', params: { progressToken, progress } });
    return { content: [{ type: 'text', text: 'done' }] };
  });
  return server;
}
