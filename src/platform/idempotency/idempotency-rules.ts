import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { Principal } from '../authentication/principals-and-roles.js';
import { Problem, ValidationFailed } from '../http/problem.js';
import { canonicalJson } from '../json/exact-json.js';
import type { IdempotencyKey } from './idempotency-key.entity.js';

/** What a stored response is found by. */
export type StoredKey = Pick<IdempotencyKey, 'callerId' | 'key' | 'path'>;

/** Identifies a request that may be sent again. */
export type RequestIdentity = StoredKey & Pick<IdempotencyKey, 'requestHash'>;

/**
 * Returns what makes two requests the same one. A request without a body is compared by the length that it announces: 0 or
 * none.
 * @param content in place of the body, where the handler read the body itself
 * @throws {ValidationFailed} for a key that is not 1 to 255 visible ASCII characters
 */
export function identityOf(request: Request, caller: Principal, content?: object): RequestIdentity {
  const [, query = ''] = request.originalUrl.split('?', 2);
  const body: unknown = content ?? request.body ?? { size: request.headers['content-length'] ?? null };
  const hash = createHash('sha256').update(canonicalJson(query === '' ? body : { body, query }));
  return { ...keyOf(request, caller), requestHash: hash.digest() };
}

/**
 * Returns what a stored response is found by.
 * @throws {ValidationFailed} for a key that is not 1 to 255 visible ASCII characters
 */
export function keyOf(request: Request, caller: Principal): StoredKey {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new ValidationFailed([
      { path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' },
    ]);
  const [path = ''] = request.originalUrl.split('?', 1);
  return { callerId: caller.id, key, path };
}

export class KeyInUse extends Problem {
  constructor() {
    super(
      'idempotency_key_in_use',
      'A request with this Idempotency-Key is still running. Try again in a moment.',
      { headers: { 'Retry-After': '1' } },
    );
  }
}

class KeyReused extends Problem {
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

/** A response as it was sent. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * Returns the response to an earlier request with the same key.
 * @throws {KeyInUse} while it runs @throws {KeyReused} where it had another body
 */
export function answeredBy(earlier: IdempotencyKey | null, { requestHash }: RequestIdentity): StoredResponse {
  if (!earlier) throw new KeyInUse();
  if (!earlier.requestHash.equals(requestHash)) throw new KeyReused();
  const { status, headers, body } = earlier;
  if (status === null) throw new KeyInUse();
  return { status, headers: headers!, body: body! };
}
