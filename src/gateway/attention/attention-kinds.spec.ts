import { expect, it } from '@jest/globals';
import { type CursorValue, encodeCursor } from '../../platform/http/page-and-cursor.query.js';
import { ValidationFailed } from '../../platform/http/problem.js';
import { BY_BLOCKED, positionIn } from './attention-kinds.js';

const at = '2026-11-22T10:00:00.000Z';
const position = (...values: unknown[]) => positionIn(encodeCursor(values as CursorValue[], BY_BLOCKED));

it('returns the position that a cursor names', () => {
  expect(position(-3, 1, at, 'gate:x')).toEqual([-3, 1, at, 'gate:x']);
});

it.each([
  [['x', 1, at, 'k']],
  [[1e300, 1, at, 'k']],
  [[-1, 2_147_483_648, at, 'k']],
  [[-1, 1.5, at, 'k']],
  [[-1, 1, 'no date', 'k']],
  [[-1, 1, '0000-01-01T00:00:00Z', 'k']],
  [[-1, 1, at, 7]],
  [[-1, 1, at, 'k', 'more']],
  [[-1]],
])('rejects the invented cursor %j, before a statement that serves others has it', (values) => {
  expect(() => position(...values)).toThrow(ValidationFailed);
});
