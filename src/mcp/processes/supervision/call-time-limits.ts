import type { ServerLimits } from '../server-limits.js';
import type { CallOptions } from './supervisor-hooks.js';
import type { SupervisorSettings } from './supervisor-settings.js';

/**
 * Adds the time limits of a call where it names none. A time-out of the server's own that is longer than the hard limit
 * raises that too (contract §3.3).
 */
export function withTimeLimits(
  options: CallOptions,
  { callTimeoutMs, callHardLimitMs }: Pick<SupervisorSettings, 'callTimeoutMs' | 'callHardLimitMs'>,
  { callTimeoutSeconds }: ServerLimits = {},
) {
  const own = callTimeoutSeconds === undefined ? callTimeoutMs : callTimeoutSeconds * 1000;
  const { timeoutMs = own, maxTotalMs = Math.max(callHardLimitMs, own) } = options;
  return { ...options, timeoutMs, maxTotalMs };
}
