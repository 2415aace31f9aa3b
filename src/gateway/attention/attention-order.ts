import { decodeCursor, notACursor } from '../../platform/http/pages/cursor.js';

/** The sort key of an item: most blocked issues first. */
export type Position = [number, number, string, string];

/** The name of the order, to which cursors are tied. */
export const BY_BLOCKED = 'attention';

/**
 * What needs a person is listed by how many issues wait for it, then by severity, then by since when (contract §8.7).
 * @param item the SQL name of rows that have these columns, followed by a dot; empty for columns without a name
 */
export const byBlocked = (item: string): string =>
  `-${item}issues, ${item}severity, ${item}since, ${item}key`;

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
