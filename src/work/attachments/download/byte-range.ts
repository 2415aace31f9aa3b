import type { IncomingHttpHeaders } from 'node:http';
import { RangeNotSatisfiable } from '../attachments.errors.js';
import type { ByteRange } from '../store/attachment-store.js';

const ONE_RANGE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * Returns the range of bytes that a request asks for, or null for all bytes: without `Range`, with several ranges or an
 * invalid one, and when `If-Range` names another ETag (RFC 9110 §14.2, §13.1.5). It replaces range-parser, which Express
 * uses: that returns -1 for the last 100 bytes of a file of 10, although they are the whole file. Its fix is merged
 * (jshttp/range-parser #66) but not released; drop this file when it is.
 * @param size of the whole in bytes
 * @param etag of the bytes, strong
 * @throws {RangeNotSatisfiable}
 */
export function byteRangeOf(headers: IncomingHttpHeaders, size: number, etag: string): ByteRange | null {
  const condition = headers['if-range'];
  if (condition !== undefined && condition !== etag) return null;
  const [, first = '', last = ''] = ONE_RANGE.exec(headers.range ?? '') ?? [];
  const range = first === '' ? suffix(last, size) : between(Number(first), last, size);
  if (range && range.start > range.end) throw new RangeNotSatisfiable(size);
  return range;
}

/** `-500`: the last 500 bytes. */
function suffix(length: string, size: number): ByteRange | null {
  return length === '' ? null : { start: Math.max(0, size - Number(length)), end: size - 1 };
}

/** `500-` and `500-999`. */
function between(start: number, last: string, size: number): ByteRange | null {
  if (last !== '' && Number(last) < start) return null;
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
