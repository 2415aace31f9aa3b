import { AsyncLocalStorage } from 'node:async_hooks';

/** Who did something, as every record shows it (contract §5.1). `name` is the name at that time. */
export interface Actor {
  type: 'user' | 'agent' | 'system';
  id: string | null;
  name: string;
}

export const SYSTEM: Actor = { type: 'system', id: null, name: 'system' };

/** Where a change of state comes from. There is one per request, and none for the service's own work. */
export interface Origin {
  requestId: string;
  /** W3C Trace Context of the caller, if it sent one. */
  traceparent: string | null;
  /** The client's address. */
  from: string | null;
  /** Set by the guard once the caller is known. */
  actor: Actor;
}

const current = new AsyncLocalStorage<Origin>();

/** Runs `work` with this origin. */
export function withOrigin<T>(origin: Origin, work: () => T): T {
  return current.run(origin, work);
}

/** Returns the origin of the current request, or null outside of requests. */
export function currentOrigin(): Origin | null {
  return current.getStore() ?? null;
}

/** Runs `work` outside of the current request, for what the service does on its own later on. */
export function withoutOrigin<T>(work: () => T): T {
  return current.exit(work);
}
