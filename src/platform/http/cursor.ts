import { crc32 } from 'node:zlib';
import { ValidationFailed } from './problem.js';
import { textFault } from './text-rules.js';

/** One column of a list's order, in the row that a page ended with. */
export type CursorValue = string | number;

/**
 * Where a list goes on, as one opaque word: the sort key of the last row that was given. The checksum ties
 * it to the order it was made for and catches one that was cut short; it is no signature, so what the
 * cursor holds is bound as parameters and never trusted.
 */
export function encodeCursor(values: CursorValue[], sort: string): string {
  return Buffer.from(JSON.stringify([checksum(values, sort), ...values])).toString('base64url');
}

/** @throws {ValidationFailed} naming `cursor`, for anything but a cursor of this order */
export function decodeCursor(cursor: string, sort: string): CursorValue[] {
  const values = valuesIn(cursor);
  if (values && encodeCursor(values, sort) === cursor) return values;
  throw new ValidationFailed([
    {
      path: 'cursor',
      message:
        'is not a cursor of this list: take it from the Link header of the page before, with the same sort',
    },
  ]);
}

function valuesIn(cursor: string): CursorValue[] | null {
  const [, ...values] = listIn(cursor);
  return values.every(isCursorValue) ? values : null;
}

function listIn(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

function isCursorValue(value: unknown): value is CursorValue {
  return typeof value === 'number' || (typeof value === 'string' && textFault(value) === null);
}

function checksum(values: CursorValue[], sort: string): number {
  return crc32(JSON.stringify([sort, ...values]));
}
