import { McpUnavailable } from '../connection/mcp-errors.js';
import type { ServerLimits } from '../server-description-and-limits.js';
import { type CallPlace, type CallSlotLimits, CallSlots } from './call-slots.js';
import type { CallOptions, SupervisorSettings } from './supervisor-settings.js';

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

/**
 * Admits calls to servers. A call to a removed server, and every call during shutdown, is refused with the reason;
 * all others wait for a call slot, which limits how many run at once.
 */
export class CallAdmission {
  private readonly slots: CallSlots;
  /**
   * By server id. A server that was removed stays here, so that a call that was permitted earlier cannot start it
   * again.
   */
  private readonly removed = new Map<string, McpUnavailable>();
  private shutdown: McpUnavailable | null = null;

  constructor(limits: CallSlotLimits) {
    this.slots = new CallSlots(limits);
  }

  /**
   * Runs `call` once it has a slot.
   * @throws {McpUnavailable} when the server is removed, the service shuts down, or no slot becomes free
   */
  async run<T>(place: CallPlace, signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> {
    this.refuseWhereClosed(place.serverId);
    const leave = await this.slots.enter(place, signal);
    try {
      this.refuseWhereClosed(place.serverId); // It may have been closed while the call waited.
      return await call();
    } finally {
      leave();
    }
  }

  /**
   * Takes a slot and returns the function that gives it back; returns null where the call would wait or be
   * refused.
   */
  tryEnter(place: CallPlace): (() => void) | null {
    return this.closedBy(place.serverId) ? null : this.slots.tryEnter(place);
  }

  /** Refuses the calls that wait for this server, or for one credential set of it; later ones are admitted. */
  refuseWaiting(serverId: string, reason: McpUnavailable, credentialSetId?: string): void {
    this.slots.refuseWaiting(reason, serverId, credentialSetId);
  }

  /** Refuses the calls that wait for this server, and all later ones. */
  closeServer(serverId: string, reason: McpUnavailable): void {
    this.removed.set(serverId, reason);
    this.refuseWaiting(serverId, reason);
  }

  /** Refuses all calls that wait, and all later ones. */
  closeAll(reason: McpUnavailable): void {
    this.shutdown = reason;
    this.slots.refuseWaiting(reason);
  }

  private refuseWhereClosed(serverId: string): void {
    const reason = this.closedBy(serverId);
    if (reason) throw reason;
  }

  private closedBy(serverId: string): McpUnavailable | undefined {
    return this.shutdown ?? this.removed.get(serverId);
  }
}
