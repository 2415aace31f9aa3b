import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdFrom } from './request-id.js';

const ids = new WeakMap<object, string>();

/** The id under which a request is logged, journalled and answered (spec §1). */
export function requestIdOf(request: IncomingMessage): string {
  return ids.get(request) ?? '';
}

/** Takes the caller's `X-Request-Id` when it is a sane token, makes one otherwise, and sends it back. */
export function assignRequestId(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  const id = requestIdFrom(request.headers['x-request-id']);
  ids.set(request, id);
  response.setHeader('X-Request-Id', id);
  next();
}
