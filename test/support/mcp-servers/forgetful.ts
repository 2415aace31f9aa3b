import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen, type Remote } from './remote.js';

type Answer = (message: { id?: unknown }, response: ServerResponse) => unknown;

interface Options {
  /** How it answers a request of a session that it does not know, or of no session. */
  unknown?: Answer;
  /** How it answers requests of a session that it knows, by method or tool, where not as usual. */
  answers?: Record<string, Answer>;
}

export interface Forgetful extends Remote {
  /** The methods of the requests that it executed; a tool call by the name of its tool. */
  executed: string[];
  /** How many sessions were opened, those of probes included. */
  opened: () => number;
  /** Forgets all sessions, as a restart does, and ends their streams of notifications. */
  forget: () => void;
  /** Accepts this key alone from now on, and answers any other by 401. */
  accept: (key: string) => void;
}

const FACTS = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: { listChanged: true }, prompts: {}, resources: { subscribe: true } },
  serverInfo: { name: 'forgetful', version: '1' },
};
const RESULTS: Record<string, unknown> = {
  initialize: FACTS,
  'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'done' }] },
  'prompts/get': { messages: [] },
  'resources/read': { contents: [] },
};

/** Answers a request of an unknown session by this status and body. */
export const refusesWith =
  (status: number, body = '', type = 'application/json') =>
  (_: unknown, response: ServerResponse) =>
    response.writeHead(status, { 'content-type': type }).end(body);

/** A remote server of 2025-06-18 with sessions, which it can forget. */
export async function forgetfulServer({
  unknown = refusesWith(404),
  answers = {},
}: Options = {}): Promise<Forgetful> {
  const sessions = new Map<string, Set<ServerResponse>>();
  const executed: string[] = [];
  let opened = 0;
  let accepted: string | null = null;
  const stream = (streams: Set<ServerResponse>, response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    streams.add(response);
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    if (accepted !== null && request.headers.authorization !== `Bearer ${accepted}`)
      return response.writeHead(401).end();
    const streams = sessions.get(String(request.headers['mcp-session-id']));
    if (request.method === 'DELETE') return response.writeHead(204).end();
    if (request.method === 'GET') return streams ? stream(streams, response) : unknown({}, response);
    const message = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const { id, method, params } = message;
    if (method === 'server/discover') return refusesWith(400)(message, response);
    if (method === 'initialize') {
      const session = randomUUID();
      sessions.set(session, new Set());
      opened += 1;
      response.setHeader('mcp-session-id', session);
    } else if (!streams) return unknown(message, response);
    if (id === undefined) return response.writeHead(202).end();
    const name = method === 'tools/call' ? params.name : method;
    if (method !== 'initialize') executed.push(name);
    if (answers[name]) return answers[name](message, response);
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: RESULTS[method] ?? {} }));
  };
  const remote = await listen(serve);
  const forget = (): void => {
    const streams = [...sessions.values()].flatMap((each) => [...each]);
    sessions.clear();
    streams.forEach((response) => response.end());
  };
  return { ...remote, executed, opened: () => opened, forget, accept: (key) => (accepted = key) };
}
