import { randomBytes } from 'node:crypto';

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
