import type { IncomingMessage, ServerResponse } from 'node:http';
import { v7 as uuidv7 } from 'uuid';

/** A token that no log and no header chokes on. */
const SAFE_TOKEN = /^[A-Za-z0-9._~-]{1,128}$/;

const ids = new WeakMap<object, string>();

/** Returns the id under which a request is logged, journalled and answered (contract §1). */
export function requestIdOf(request: IncomingMessage): string {
  return ids.get(request) ?? '';
}

/** Gives a request its id and sends it back as `X-Request-Id`. */
export function assignRequestId(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  const id = requestIdFrom(request.headers['x-request-id']);
  ids.set(request, id);
  response.setHeader('X-Request-Id', id);
  next();
}

/** Returns the caller's `X-Request-Id` when it is a safe token, and a new id otherwise (contract §1). */
export function requestIdFrom(header: string | string[] | undefined): string {
  return typeof header === 'string' && SAFE_TOKEN.test(header) ? header : uuidv7();
}
