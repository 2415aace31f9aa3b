import { McpUnavailable } from '../connection/mcp-errors.js';
import type { ServerLimits } from '../server-description-and-limits.js';
import { type CallPlace, type CallSlotLimits, CallSlots } from './call-slots.js';
import type { CallOptions, SupervisorSettings } from './supervisor-settings.js';

/** The holder of a slot, which can be asked to give way. */
export interface SlotHolder {
  /** The agent that has the process for itself; null for a process that agents share. */
  readonly owner: string | null;
  /** When its last call ended, in milliseconds; null while it is needed. */
  idleSince(): number | null;
  /** Ends it; resolves when its process is gone. */
  giveWay(): Promise<void>;
}

interface Waiter {
  holder: SlotHolder;
  admit: () => void;
}

/**
 * Limits how many processes run at once (`MCP_MAX_PROCESSES`). The one that is idle longest gives way to a new one. The
 * processes of one agent's own have at most half of the slots, and a slot that becomes free goes to the agent that has the
 * fewest.
 */
export class ProcessSlots {
  private readonly holders = new Set<SlotHolder>();
  private readonly waiting = new Set<Waiter>();
  private readonly share: number;

  constructor(
    private readonly max: number,
    private readonly patienceMs: number,
  ) {
    this.share = Math.max(1, Math.floor(max / 2));
  }

  /**
   * Takes a slot.
   * @throws {McpUnavailable} when all slots that it may have stay in use for longer than the patience lasts
   */
  async take(holder: SlotHolder): Promise<void> {
    const deadline = performance.now() + this.patienceMs;
    while (!this.hasRoom(holder)) {
      const idlest = this.longestIdle(holder);
      if (!idlest) return this.wait(holder, deadline - performance.now());
      await this.evict(idlest);
    }
    this.holders.add(holder);
  }

  release(holder: SlotHolder): void {
    if (!this.holders.delete(holder)) return;
    const next = [...this.waiting]
      .filter((waiter) => this.hasRoom(waiter.holder))
      .toSorted((a, b) => this.heldBy(a.holder.owner) - this.heldBy(b.holder.owner))[0];
    if (!next) return;
    this.holders.add(next.holder);
    next.admit();
  }

  private hasRoom({ owner }: SlotHolder): boolean {
    return this.holders.size < this.max && !this.hasShare(owner);
  }

  private hasShare(owner: string | null): boolean {
    return owner !== null && this.heldBy(owner) >= this.share;
  }

  private heldBy(owner: string | null): number {
    return owner === null ? 0 : [...this.holders].filter((holder) => holder.owner === owner).length;
  }

  /** Only one of its own makes room for a process whose agent has its share. */
  private longestIdle({ owner }: SlotHolder): SlotHolder | undefined {
    const isOwn = this.hasShare(owner);
    const idle = [...this.holders].filter(
      (holder) => holder.idleSince() !== null && (!isOwn || holder.owner === owner),
    );
    return idle.toSorted((a, b) => (a.idleSince() ?? 0) - (b.idleSince() ?? 0))[0];
  }

  private async evict(holder: SlotHolder): Promise<void> {
    await holder.giveWay();
    this.release(holder);
  }

  private wait(holder: SlotHolder, withinMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void): void => {
        clearTimeout(timer);
        this.waiting.delete(waiter);
        finish();
      };
      const waiter = { holder, admit: () => settle(resolve) };
      const timer = setTimeout(() => settle(() => reject(this.refusal(holder))), Math.max(0, withinMs));
      this.waiting.add(waiter);
    });
  }

  private refusal({ owner }: SlotHolder): McpUnavailable {
    const seconds = Math.max(1, Math.round(this.patienceMs / 1000));
    if (this.hasShare(owner))
      return new McpUnavailable(
        'own_calls',
        `Your own calls keep ${this.heldBy(owner)} server processes busy that only you use, the most that one agent may have at once. Wait until one of them has finished, or try again in ${seconds} s.`,
        seconds,
      );
    return new McpUnavailable(
      'busy',
      `All ${this.max} process slots for MCP servers are in use. Try again in ${seconds} s.`,
      seconds,
    );
  }
}

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
