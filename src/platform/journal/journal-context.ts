import { AsyncLocalStorage } from 'node:async_hooks';

/** Who did something, as every record tells it (spec §5.1): agents and users by name at that time. */
export interface Actor {
  type: 'user' | 'agent' | 'system';
  id: string | null;
  name: string;
}

export const SYSTEM: Actor = { type: 'system', id: null, name: 'system' };

/** Where a change of state comes from: one a request, or none for the service's own work. */
export interface Origin {
  requestId: string;
  /** W3C Trace Context of the caller, if it sent one. */
  traceparent: string | null;
  /** Address of the client. */
  from: string | null;
  /** Set by the guard once the caller is known. */
  actor: Actor;
}

const current = new AsyncLocalStorage<Origin>();

/** Opens the origin of one request around `work`. */
export function withOrigin<T>(origin: Origin, work: () => T): T {
  return current.run(origin, work);
}

/** The origin of what is being done now; the service itself where no request is. */
export function currentOrigin(): Origin | null {
  return current.getStore() ?? null;
}
