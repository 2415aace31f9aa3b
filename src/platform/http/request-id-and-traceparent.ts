import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { v7 as uuidv7 } from 'uuid';

/** W3C Trace Context, version 00: `00-<trace>-<parent>-<flags>`, neither id all zeros. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

/** Returns the caller's `traceparent` when it is valid; an invalid one is ignored, as the standard says. */
export function traceparentFrom(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && TRACEPARENT.test(header) ? header : null;
}

/** Returns the trace's id for logs, or null when there is no trace. */
export function traceIdOf(traceparent: string | null): string | null {
  return TRACEPARENT.exec(traceparent ?? '')?.[1] ?? null;
}

/** Returns the `traceparent` of an outgoing request in the same trace, with a parent id of its own. */
export function nextTraceparent(traceparent: string): string {
  const [, trace, flags] = TRACEPARENT.exec(traceparent) ?? [];
  return `00-${trace}-${randomBytes(8).toString('hex')}-${flags}`;
}

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
