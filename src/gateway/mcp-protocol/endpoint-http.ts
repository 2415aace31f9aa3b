import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/server';
import Negotiator from 'negotiator';
import { Forbidden } from '../../platform/authentication/authentication.errors.js';
import type { ServiceOrigins } from '../../platform/http/origins-and-redirects.js';
import { type BodyLimits, readBody } from '../../platform/http/request-body.js';
import { MARK, parseJson, withoutMarks } from '../../platform/json/exact-json.js';
import { JsonOutline } from '../../platform/json/json-outline.js';

/**
 * Prevents foreign web pages from using the endpoint through a browser, DNS rebinding included (contract §7). MCP
 * clients outside a browser send no `Origin`.
 * @throws {Forbidden} for an `Origin` that is neither the service's own nor one of DASHBOARD_ORIGINS
 */
export function refuseForeignOrigin(origins: ServiceOrigins, origin: string | undefined): void {
  if (origin === undefined || origins.includes(origin)) return;
  throw new Forbidden(
    'This Origin may not use the MCP endpoint; an operator can name it in DASHBOARD_ORIGINS.',
  );
}

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

/** Sends 406 to a client that reads none of the forms in which the endpoint could respond. */
export function sendNoForm(response: ServerResponse): void {
  sendRpcError(response, 406, SERVER_ERROR, NO_FORM);
}

const SERVER_ERROR = -32_000;
const SESSION_NOT_FOUND = -32_001;
const NO_FORM =
  'Accept admits no form of the response: send application/json, text/event-stream, or both; the stream of notifications needs the latter.';

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
  const body = await readBody(request, { limit, hold });
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

type Chunk = string | Uint8Array;

/**
 * Lets the SDK write into a response: strings with marks become the digits that they stand for. The SDK writes a message
 * in one piece. The length that it states counts the marks, so the response is sent in chunks.
 */
export function writeDigits(response: ServerResponse): void {
  const { write, end, writeHead } = response;
  const change = (given: unknown[]) => {
    const [chunk, ...others] = given;
    return isChunk(chunk) ? [digitsIn(chunk), ...others] : given;
  };
  response.write = (...given: unknown[]) => write.apply(response, change(given) as Parameters<typeof write>);
  response.end = (...given: unknown[]) => end.apply(response, change(given) as Parameters<typeof end>);
  response.writeHead = (...given: unknown[]) => {
    response.removeHeader('content-length');
    const kept = given.map((value) => (isHeaders(value) ? withoutLength(value) : value));
    return writeHead.apply(response, kept as Parameters<typeof writeHead>);
  };
}

function digitsIn(chunk: Chunk): Chunk {
  if (typeof chunk === 'string') return withoutMarks(chunk);
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return bytes.includes(MARK) ? Buffer.from(withoutMarks(bytes.toString('utf8'))) : chunk;
}

function isChunk(value: unknown): value is Chunk {
  return typeof value === 'string' || value instanceof Uint8Array;
}

function isHeaders(value: unknown): value is OutgoingHttpHeaders {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutLength(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length'),
  );
}

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';
/** What the SDK's transports insist on, in this spelling. */
const BOTH = `${JSON_TYPE}, ${STREAM_TYPE}`;

/** The forms in which a client can read a response of the endpoint. */
export interface ResponseForms {
  json: boolean;
  stream: boolean;
}

const EITHER: ResponseForms = { json: true, stream: true };

/**
 * The forms that were found for a request with another header than `BOTH`: it is read once, because it is replaced
 * afterwards.
 */
const found = new WeakMap<IncomingMessage, ResponseForms>();

/**
 * Reads `Accept` as RFC 9110 means it (contract §7.4): an absent header, ranges, parameters and any case and order.
 * Where one of both forms is admitted, the request then has the header that the SDK's transports look for, and the
 * response is converted into the admitted form while it is written.
 * @returns the admitted forms; with neither the request has to be answered with 406
 */
export function negotiateForm(request: IncomingMessage, response: ServerResponse): ResponseForms {
  const known = found.get(request);
  if (known) return known;
  const forms = formsOf(request.headers.accept);
  // Nearly all clients send this one, and each entry of a weak map costs time.
  if (request.headers.accept === BOTH) return forms;
  found.set(request, forms);
  if (!forms.json && !forms.stream) return forms;
  replaceAccept(request);
  if (!forms.stream) convert(response, STREAM_TYPE, JSON_TYPE, jsonOf);
  if (!forms.json) convert(response, JSON_TYPE, STREAM_TYPE, eventOf);
  return forms;
}

/**
 * Whether a client reads one of the forms in which the endpoint can respond.
 * @param needsStream whether the response is a stream of notifications
 */
export function fits({ json, stream }: ResponseForms, needsStream: boolean): boolean {
  return stream || (json && !needsStream);
}

/** Whether the client of a request accepts an event stream. */
export function acceptsStream(request: IncomingMessage): boolean {
  return (found.get(request) ?? formsOf(request.headers.accept)).stream;
}

function formsOf(accept: string | undefined): ResponseForms {
  if (accept === undefined || accept.trim() === '' || accept === BOTH) return EITHER;
  const types = new Negotiator({ headers: { accept } }).mediaTypes([JSON_TYPE, STREAM_TYPE]);
  return { json: types.includes(JSON_TYPE), stream: types.includes(STREAM_TYPE) };
}

/** The adapter of the SDK reads the raw headers. */
function replaceAccept(request: IncomingMessage): void {
  request.headers.accept = BOTH;
  const raw = request.rawHeaders;
  for (let at = raw.length - 2; at >= 0; at -= 2) if (raw[at]!.toLowerCase() === 'accept') raw.splice(at, 2);
  raw.push('accept', BOTH);
}

/**
 * Replaces the body of a successful response in one form by its other form, once it is complete. A response in another
 * form passes unchanged, so an event stream reaches a client of event streams as it is written.
 */
function convert(
  response: ServerResponse,
  from: string,
  to: string,
  body: (whole: string) => string | null,
): void {
  const { writeHead, write, end, flushHeaders } = response;
  const chunks: Buffer[] = [];
  const converts = () =>
    response.statusCode === 200 && String(response.getHeader('content-type')).startsWith(from);
  const take = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as Chunk));
  };
  Object.assign(response, {
    writeHead(status: number, headers?: OutgoingHttpHeaders) {
      response.statusCode = status;
      for (const [name, value] of Object.entries(headers ?? {}))
        if (value !== undefined) response.setHeader(name, value as OutgoingHttpHeader & string);
      return converts() ? response : writeHead.call(response, status);
    },
    write(chunk: unknown, ...rest: unknown[]) {
      if (!converts()) return (write as Writing).call(response, chunk, ...rest);
      take(chunk);
      return true;
    },
    end(chunk?: unknown, ...rest: unknown[]) {
      if (!converts()) return (end as Writing).call(response, chunk, ...rest);
      take(chunk);
      const converted = body(Buffer.concat(chunks).toString('utf8'));
      response.removeHeader('content-length');
      response.statusCode = converted === null ? 202 : 200;
      if (converted === null) response.removeHeader('content-type');
      else response.setHeader('content-type', to);
      return (end as Writing).call(response, converted ?? undefined);
    },
    // The headers of a converted response are sent with its body.
    flushHeaders() {
      if (!converts()) flushHeaders.call(response);
    },
  });
}

type Writing = (this: ServerResponse, ...args: unknown[]) => unknown;

/** Returns the responses of a stream: one as it is, several as a batch. Notifications have no place in JSON. */
function jsonOf(stream: string): string | null {
  const messages = stream
    .split(/\r?\n\r?\n/)
    .map((event) => /^data: ?(.*)$/m.exec(event)?.[1])
    .filter((data) => data !== undefined && data !== '')
    .filter((data) => !/"method"\s*:/.test(data!) || !('method' in (JSON.parse(data!) as object)));
  if (messages.length === 0) return null;
  return messages.length === 1 ? messages[0]! : `[${messages.join(',')}]`;
}

function eventOf(json: string): string {
  return `event: message\ndata: ${json}\n\n`;
}
