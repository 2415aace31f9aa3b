import { UnfitSortKey } from './platform/database/keyset.js';
import { isUnacceptableValue, isUnavailable, isWorthRetrying } from './platform/database/postgres-errors.js';
import { TryAgain } from './platform/database/transactions.js';
import { Problem, ValidationFailed } from './platform/http/problem.js';

/** What the database tells, as a refusal: away or too busy is 503, a value that no column takes is 400. */
export function translateDatabaseFault(fault: unknown): Problem | null {
  if (isUnavailable(fault) || isWorthRetrying(fault) || fault instanceof TryAgain)
    return new Problem('unavailable', 'The database does not answer; try again in a moment.', {
      headers: { 'Retry-After': '2' },
    });
  if (fault instanceof UnfitSortKey)
    return new ValidationFailed([{ path: 'cursor', message: 'is not a cursor of this list' }]);
  if (isUnacceptableValue(fault))
    return new ValidationFailed([{ path: '', message: 'a value is out of range' }]);
  return null;
}
