import { Deadline } from './deadline.js';

/** Returns the deadline of a start. A caller who gives up ends the start in the same way. */
export function startDeadline(ms: number, outer?: AbortSignal): Deadline {
  return new Deadline({ timeoutMs: Math.max(1, ms), expired: ended, cancelled: ended }, outer);
}

const ended = (): Error => new Error('The time for the start is over.');
