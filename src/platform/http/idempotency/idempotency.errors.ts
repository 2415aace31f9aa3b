import { Problem } from '../problem/problem.js';

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
