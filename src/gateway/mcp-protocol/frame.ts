import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { type BodyLimits, readBody } from '../../platform/http/request-body.js';
import { parseJson } from '../../platform/json/exact-json.js';
import { JsonOutline } from '../../platform/json/json-outline.js';

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

/** An invalid JSON-RPC frame. The response is an HTTP status with a JSON-RPC error, as the transport specifies. */
export class FrameError extends Error {
  constructor(
    readonly status: 400 | 413 | 415,
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Returns the JSON of a POST, with the digits of its numbers.
 * @param limit in bytes (`MCP_FRAME_MAX_BYTES`)
 * @throws {FrameError}
 * @throws what `hold` throws
 */
export function readFrame(
  request: IncomingMessage,
  limit: number,
  hold: BodyLimits['hold'],
): Promise<unknown> {
  const begun = read.get(request);
  if (begun) return begun;
  const frame = readOnce(request, limit, hold);
  // A caller that starts the read may not need the body. A later caller gets the same promise and its error.
  frame.catch(() => undefined);
  read.set(request, frame);
  return frame;
}

/** The bodies that were read. A body can be read once and is used twice: by the handler of tools/call and by the route. */
const read = new WeakMap<IncomingMessage, Promise<unknown>>();

async function readOnce(request: IncomingMessage, limit: number, hold: BodyLimits['hold']): Promise<unknown> {
  const { 'content-type': type, 'content-encoding': encoding } = request.headers;
  if (!isJsonContentType(type))
    throw new FrameError(415, SERVER_ERROR, 'Content-Type must be application/json');
  if (encoding !== undefined && encoding !== 'identity')
    throw new FrameError(415, SERVER_ERROR, 'The body must not be compressed');
  return parse(await collect(request, limit, hold));
}

function parse(bytes: Buffer): unknown {
  try {
    const text = UTF8.decode(bytes);
    if (nestsTooDeep(bytes))
      throw new FrameError(400, INVALID_REQUEST, `A frame may nest at most ${DEEPEST} levels deep`);
    return parseJson(text);
  } catch (error) {
    if (error instanceof FrameError) throw error;
    throw new FrameError(400, PARSE_ERROR, 'Parse error: the body is not valid JSON in UTF-8');
  }
}

async function collect(request: IncomingMessage, limit: number, hold: BodyLimits['hold']): Promise<Buffer> {
  const body = await readBody(request, { limit, drain: 4 * limit, hold });
  if (body === null) throw new FrameError(413, SERVER_ERROR, `A frame may have at most ${limit} bytes`);
  return body;
}

/** Only a frame with enough brackets can nest too deep, so a small one is not walked twice. */
function nestsTooDeep(bytes: Buffer): boolean {
  if (bytes.length <= DEEPEST) return false;
  const outline = new JsonOutline();
  outline.feed(bytes);
  return outline.deepest > DEEPEST;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Deeper nesting would overflow the stack of later recursion. */
const DEEPEST = 1_000;
const INVALID_REQUEST = -32_600;
const PARSE_ERROR = -32_700;
