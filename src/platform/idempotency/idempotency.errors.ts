import { Problem } from '../http/problem.js';

export class KeyInUse extends Problem {
  constructor() {
    super(
      'idempotency_key_in_use',
      'A request with this Idempotency-Key is still running. Try again in a moment.',
      { headers: { 'Retry-After': '1' } },
    );
  }
}

export class KeyReused extends Problem {
  constructor() {
    super(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another body. Send a new key with a new request.',
    );
  }
}

/** Refusals that depend on the state, so that the repetition gets the same one. Others are decided again. */
const STORED_REFUSALS = new Set([404, 409, 412]);

/** Returns whether a repetition gets this error again. */
export function isStoredRefusal(error: unknown): error is Problem {
  return error instanceof Problem && !(error instanceof KeyInUse) && STORED_REFUSALS.has(error.status);
}
