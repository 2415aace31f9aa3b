import type { IncomingHttpHeaders } from 'node:http';
import { RangeNotSatisfiable } from '../attachments.errors.js';
import type { ByteRange } from '../store/attachment-store.js';

const ONE_RANGE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * The one range of bytes that a request asks for, or null for all of them: without `Range`, with several
 * ranges or one that makes no sense, and where `If-Range` names other bytes than these (RFC 9110 §14.2, §13.1.5).
 * Express's own parser finds nothing in the last 100 bytes of a file of 10: those are all of them.
 * @param size of the whole in bytes
 * @param etag of the bytes, strong
 * @throws RangeNotSatisfiable
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
