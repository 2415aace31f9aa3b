import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import { markedText } from '../json/exact-json.js';
import { type FieldError, Problem, ValidationFailed } from './problem.js';

/** Objects and arrays within each other (contract §1): deeper ones overflow the stack of what walks them later. */
const MAX_DEPTH = 32;

/** Fields and items in all (contract §1.4). What transforms a body needs about a microsecond for each. */
const MAX_VALUES = 100_000;

/** Fields of one object (contract §1.4): class-transformer takes time in the square of them, 5.6 s for 70,000. */
export const MOST_FIELDS = 1_000;

/** Names that reach the prototype of the object that they are copied into. */
const REFUSED_KEYS = new Set(['__proto__', 'constructor']);

/** For each object and array that the scan is inside of: the key or the index it is at. */
type Place = (string | number)[];

/**
 * What is wrong with a JSON text before it is parsed: too deep, too many values, or a key that is refused. One pass
 * without recursion. Text that is no JSON passes or fails as it happens: the parser refuses it afterwards.
 */
export function scanJson(text: string): FieldError | null {
  const open: Place = [];
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      const fault = enterKey(text, at, end, open);
      if (fault) return fault;
      at = end;
    } else if (character === '{' || character === '[') {
      if (open.length === MAX_DEPTH)
        return { path: pathOf(open), message: `must not be more than ${MAX_DEPTH} levels deep` };
      open.push(character === '[' ? 0 : '');
    } else if (character === '}' || character === ']') open.pop();
    else if (character === ',') {
      values += 1;
      if (values > MAX_VALUES)
        return { path: '', message: `must not have more than ${MAX_VALUES} fields and items` };
      enterNextItem(open);
    }
  }
  return null;
}

/** Index of the quote that ends the string which begins at `start`, or of the end of the text. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end >= 0 ? end : text.length;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}

function enterKey(text: string, start: number, end: number, open: Place): FieldError | null {
  if (open.length === 0 || !isFollowedByColon(text, end)) return null;
  const key = unescaped(text.slice(start, end + 1));
  open[open.length - 1] = key;
  return REFUSED_KEYS.has(key) ? { path: pathOf(open), message: 'is a key that is not accepted' } : null;
}

function isFollowedByColon(text: string, end: number): boolean {
  let next = end + 1;
  while (next < text.length && ' \t\r\n'.includes(text[next]!)) next += 1;
  return text[next] === ':';
}

/** A key may be written with escapes (`"\u005f_proto__"`), so it is compared as the parser will read it. */
function unescaped(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    // The parser rejects the same text after this scan.
    return quoted;
  }
}

function enterNextItem(open: Place): void {
  const index = open.at(-1);
  if (typeof index === 'number') open[open.length - 1] = index + 1;
}

/** Like `entries[0].agentId`. */
function pathOf(open: Place): string {
  return open
    .map((at) => (typeof at === 'number' ? `[${at}]` : `.${at}`))
    .join('')
    .replace(/^\./, '');
}

/**
 * Returns a sentence why a body with these headers is not accepted (415, contract §1), or null. Only uncompressed
 * `application/json` in UTF-8 is accepted: a compressed body could be a thousand times as large as it looks.
 */
export function jsonMediaTypeError(
  contentType: string | undefined,
  contentEncoding: string | undefined,
): string | null {
  if (contentEncoding !== undefined && contentEncoding.trim().toLowerCase() !== 'identity')
    return 'Send the body uncompressed, without Content-Encoding.';
  if (!isJsonInUtf8(contentType)) return 'Send the body as Content-Type: application/json in UTF-8.';
  return null;
}

function isJsonInUtf8(contentType: string | undefined): boolean {
  const type = parse(contentType);
  const charset = type?.params.get('charset') ?? 'utf-8';
  return type?.essence === 'application/json' && /^utf-?8$/i.test(charset);
}

function parse(contentType: string | undefined): MIMEType | null {
  try {
    return new MIMEType(contentType ?? '');
  } catch {
    // A malformed type is not JSON, which the caller rejects.
    return null;
  }
}

/**
 * How much of a refused body is read and dropped before the answer. A connection that is closed with unread bytes is reset,
 * and some clients that are still sending give up when an answer comes (undici: EPIPE). The time of a whole request bounds
 * it as well.
 */
const DROPPED_BYTES = 67_108_864;

/** Limits of a request body in bytes. */
export interface BodyLimits {
  limit: number;
  /** Counts what has arrived so far, and 0 for a body that is dropped. After an error that it throws the rest is dropped. */
  hold: (request: IncomingMessage, bytes: number) => void;
}

/**
 * Returns the body of a request, or null when it was larger than `limit`, once the client has sent it. Nothing above the
 * limit is kept in memory. It uses events, because the iterator of a stream costs more than the reading of a small body.
 * @throws {Error} when the client disconnects while it sends
 * @throws what `hold` throws
 */
export function readBody(request: IncomingMessage, { limit, hold }: BodyLimits): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const refuse = (answer: () => void): void => {
      request.off('data', take).off('end', finish);
      chunks.length = 0;
      hold(request, 0);
      dropRest(request, answer);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limit) return refuse(() => resolve(null));
      chunks.push(chunk);
      const refusal = errorOf(() => hold(request, size));
      if (refusal) refuse(() => reject(refusal));
    };
    const finish = (): void => resolve(joined(chunks, size));
    request.once('error', reject);
    request.once('close', () => {
      if (!request.complete) reject(new Error('The client disconnected while it sent the body.'));
    });
    if (Number(request.headers['content-length'] ?? 0) > limit) return refuse(() => resolve(null));
    request.on('data', take);
    request.once('end', finish);
  });
}

/** Reads on without keeping anything, to the end or up to the bound, and then answers. Beyond the bound the connection ends. */
function dropRest(request: IncomingMessage, answer: () => void): void {
  let dropped = 0;
  request.once('end', answer);
  request.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > DROPPED_BYTES) answer();
    if (dropped > 2 * DROPPED_BYTES) request.destroy();
  });
}

function errorOf(work: () => void): Error | null {
  try {
    work();
    return null;
  } catch (error) {
    return error as Error;
  }
}

function joined(chunks: Buffer[], size: number): Buffer {
  const [first] = chunks;
  return first && chunks.length === 1 ? first : Buffer.concat(chunks, size);
}

/**
 * Reads and parses the JSON body of a request; a request without one gives `{}`.
 * @param limit in bytes (`BODY_MAX_BYTES`)
 * @param keepsDigits whether numbers that JavaScript would change become strings with marks
 * @throws Problem unsupported_media_type, payload_too_large, malformed_json, validation_failed, or what `hold` throws
 */
export async function readJsonBody(
  request: IncomingMessage,
  { limit, hold, keepsDigits }: Pick<BodyLimits, 'limit' | 'hold'> & { keepsDigits: boolean },
): Promise<unknown> {
  if (!hasBody(request)) return {};
  const mediaFault = jsonMediaTypeError(request.headers['content-type'], request.headers['content-encoding']);
  if (mediaFault) throw new Problem('unsupported_media_type', mediaFault);
  const text = decode(await collect(request, limit, hold));
  return text === '' ? {} : parseJson(keepsDigits ? markedText(text) : text);
}

function hasBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  return headers['content-length'] !== undefined && headers['content-length'] !== '0';
}

async function collect(request: IncomingMessage, limit: number, hold: BodyLimits['hold']): Promise<Buffer> {
  const body = await readBody(request, { limit, hold });
  if (body === null) throw new BodyTooLarge(limit);
  return body;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Problem('malformed_json', 'The body is not valid UTF-8.');
  }
}

function parseJson(text: string): unknown {
  const fault = scanJson(text);
  if (fault) throw new ValidationFailed([fault]);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem('malformed_json', 'The body is not valid JSON; check quotes, commas and brackets.');
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new ValidationFailed([{ path: '', message: 'the body must be a JSON object' }]);
  return value;
}

class BodyTooLarge extends Problem {
  constructor(limit: number) {
    super('payload_too_large', `A JSON body may have at most ${limit} bytes.`);
  }
}
