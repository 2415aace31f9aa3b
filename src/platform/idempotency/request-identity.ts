import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { Principal } from '../authentication/principal.js';
import { ValidationFailed } from '../http/problem.js';
import { canonicalJson } from '../json/exact-json.js';
import type { RequestIdentity, StoredKey } from './idempotency-key.repository.js';

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
