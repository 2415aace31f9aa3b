import { decodeCursor, notACursor } from '../../platform/http/pages/cursor.js';
import type { Position } from './attention.repository.js';

/** The name of the order, to which cursors are tied. */
export const BY_BLOCKED = 'attention';

const INT_MAX = 2_147_483_647;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/**
 * Returns the position that a cursor names. A cursor carries no signature, and the statement that reads the page serves
 * other callers too: a value that the database rejects would fail their requests as well.
 * @throws {ValidationFailed}
 */
export function positionIn(cursor: string): Position {
  const [issues, severity, since, key, ...more] = decodeCursor(cursor, BY_BLOCKED);
  const instant = typeof since === 'string' && INSTANT.test(since) ? Date.parse(since) : NaN;
  if (!isInt(issues) || !isInt(severity) || !(instant >= 0) || typeof key !== 'string' || more.length > 0)
    throw notACursor();
  return [issues, severity, new Date(instant).toISOString(), key];
}

function isInt(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(value as number) <= INT_MAX;
}
