import type { Fault } from '../../platform/http/problem.js';

/** A check of one field: where it looks, and what it says against it. */
export type Check = [path: string, message: string | null];

/** The checks that found a fault, as rows of a refusal. */
export function faultRows(checks: Check[]): Fault[] {
  return checks.flatMap(([path, message]) => (message === null ? [] : [{ path, message }]));
}
