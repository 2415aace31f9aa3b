import { UnfitSortKey } from './platform/database/keyset.js';
import { isUnacceptableValue, isUnavailable, isWorthRetrying } from './platform/database/postgres-errors.js';
import { TryAgain } from './platform/database/transactions.service.js';
import { Problem, ValidationFailed } from './platform/http/problem/problem.js';

/** Translates a database error: unreachable or too busy is 503, a value that fits no column is 400. */
export function translateDatabaseError(error: unknown): Problem | null {
  if (isUnavailable(error) || isWorthRetrying(error) || error instanceof TryAgain)
    return new Problem('unavailable', 'The database does not respond. Try again in a moment.', {
      headers: { 'Retry-After': '2' },
    });
  if (error instanceof UnfitSortKey)
    return new ValidationFailed([{ path: 'cursor', message: 'is not a cursor of this list' }]);
  if (isUnacceptableValue(error))
    return new ValidationFailed([{ path: '', message: 'a value is out of range' }]);
  return null;
}
