import type { FieldError } from '../../platform/http/problem/problem.js';

/** The result of checking one field: its path and the error, or null if it is valid. */
export type Check = [path: string, message: string | null];

/** Returns the errors of the checks that failed. */
export function schemaErrors(checks: Check[]): FieldError[] {
  return checks.flatMap(([path, message]) => (message === null ? [] : [{ path, message }]));
}
