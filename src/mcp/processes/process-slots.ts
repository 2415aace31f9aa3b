import { McpUnavailable } from './mcp-errors.js';

/** Who holds a slot, and can be asked to give way. */
export interface SlotHolder {
  /** When its last call ended, in milliseconds; null while it is needed. */
  idleSince(): number | null;
  /** Ends it; resolves when its process is gone. */
  giveWay(): Promise<void>;
}

/** At most so many processes at once (`MCP_MAX_PROCESSES`): the longest idle gives way to a new one. */
export class ProcessSlots {
  private readonly holders = new Set<SlotHolder>();
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly max: number,
    private readonly patienceMs: number,
  ) {}

  /** Takes a slot, or throws McpUnavailable where all are in use for longer than the patience lasts. */
  async take(holder: SlotHolder): Promise<void> {
    const deadline = Date.now() + this.patienceMs;
    while (this.holders.size >= this.max) {
      const idlest = this.longestIdle();
      if (idlest) await this.evict(idlest);
      else if (!(await this.someoneLeaves(deadline - Date.now()))) throw this.full();
    }
    this.holders.add(holder);
  }

  release(holder: SlotHolder): void {
    if (!this.holders.delete(holder)) return;
    this.waiting.forEach((wake) => wake());
  }

  private longestIdle(): SlotHolder | undefined {
    const idle = [...this.holders].filter((holder) => holder.idleSince() !== null);
    return idle.toSorted((a, b) => (a.idleSince() ?? 0) - (b.idleSince() ?? 0))[0];
  }

  private async evict(holder: SlotHolder): Promise<void> {
    await holder.giveWay();
    this.release(holder);
  }

  private someoneLeaves(withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (left: boolean): void => {
        clearTimeout(timer);
        this.waiting.delete(wake);
        resolve(left);
      };
      const wake = (): void => settle(true);
      const timer = setTimeout(() => settle(false), Math.max(0, withinMs));
      this.waiting.add(wake);
    });
  }

  private full(): McpUnavailable {
    const seconds = Math.max(1, Math.round(this.patienceMs / 1000));
    return new McpUnavailable(
      'busy',
      `All ${this.max} places for servers are in use. Try again in ${seconds} s.`,
      seconds,
    );
  }
}
