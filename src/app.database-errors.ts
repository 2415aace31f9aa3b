import { UnfitSortKey } from './platform/database/keyset.js';
import { databaseProblem } from './platform/health/database-problem.js';
import { isUnacceptableValue } from './platform/database/postgres-errors.js';
import { type Problem, ValidationFailed } from './platform/http/problem/problem.js';

/** Translates a database error: one that cannot do this now is 503, a value that fits no column is 400. */
export function translateDatabaseError(error: unknown): Problem | null {
  const problem = databaseProblem(error);
  if (problem) return problem;
  if (error instanceof UnfitSortKey)
    return new ValidationFailed([{ path: 'cursor', message: 'is not a cursor of this list' }]);
  if (isUnacceptableValue(error))
    return new ValidationFailed([{ path: '', message: 'a value is out of range' }]);
  return null;
}
