import type { Request } from 'express';
import { RangeNotSatisfiable } from '../attachments.errors.js';
import type { ByteRange } from '../store/attachment-store.js';

/**
 * The one range of bytes that a request asks for, or null for all of them: without `Range`, with several
 * ranges or one that makes no sense, and where `If-Range` names other bytes than these (RFC 9110 §14.2, §13.1.5).
 * @param etag of the bytes, strong
 * @throws RangeNotSatisfiable
 */
export function byteRangeOf(request: Request, size: number, etag: string): ByteRange | null {
  const condition = request.headers['if-range'];
  if (condition !== undefined && condition !== etag) return null;
  const ranges = request.range(size);
  if (ranges === -1) throw new RangeNotSatisfiable(size);
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes') return null;
  const [range, ...others] = ranges;
  return range && others.length === 0 ? { start: range.start, end: range.end } : null;
}
