import { Problem } from '../problem/problem.js';
import { KeyInUse } from './idempotency.errors.js';

/** Refusals that depend on the state, so that the repetition gets the same one. Others are decided again. */
const STORED_REFUSALS = new Set([404, 409, 412]);

/** Returns whether a repetition gets this error again. */
export function isStoredRefusal(error: unknown): error is Problem {
  return error instanceof Problem && !(error instanceof KeyInUse) && STORED_REFUSALS.has(error.status);
}
