import { McpUnavailable } from '../connection/mcp-errors.js';

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
