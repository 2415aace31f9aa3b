import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { withoutMarks } from '../../../platform/json/exact-json.js';
import { MARK } from '../../../platform/json/exact-number.js';

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
