import { crc32 } from 'node:zlib';
import { ValidationFailed } from '../problem/problem.js';
import { textError } from '../body/text-rules.js';

/** One column of a list's order, in the last row of a page. */
export type CursorValue = string | number;

/**
 * Returns the cursor of the next page, an opaque word: the sort key of the last row of this page. The checksum ties it
 * to its order and detects a truncated one. It is not a signature, so the contents of a cursor are bound as parameters
 * and never trusted.
 */
export function encodeCursor(values: CursorValue[], sort: string): string {
  return Buffer.from(JSON.stringify([checksum(values, sort), ...values])).toString('base64url');
}

/** @throws {ValidationFailed} naming `cursor` when it is not a cursor of this order */
export function decodeCursor(cursor: string, sort: string): CursorValue[] {
  const values = valuesIn(cursor);
  if (values && encodeCursor(values, sort) === cursor) return values;
  throw notACursor();
}

/** Whether a cursor is of this order, for a list that has several. */
export function isCursorOf(cursor: string, sort: string): boolean {
  const values = valuesIn(cursor);
  return values !== null && encodeCursor(values, sort) === cursor;
}

/** Returns the error for a value that is not a cursor of the list. */
export function notACursor(): ValidationFailed {
  return new ValidationFailed([
    {
      path: 'cursor',
      message:
        'is not a cursor of this list: take it from the Link header of the previous page, with the same sort',
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
    // A cursor that this service did not make has no values, which the caller rejects.
    return [];
  }
}

function isCursorValue(value: unknown): value is CursorValue {
  return typeof value === 'number' || (typeof value === 'string' && textError(value) === null);
}

function checksum(values: CursorValue[], sort: string): number {
  return crc32(JSON.stringify([sort, ...values]));
}
