import { McpUnavailable } from '../connection/mcp-errors.js';

/** The holder of a slot, which can be asked to give way. */
export interface SlotHolder {
  /** When its last call ended, in milliseconds; null while it is needed. */
  idleSince(): number | null;
  /** Ends it; resolves when its process is gone. */
  giveWay(): Promise<void>;
}

/** Limits how many processes run at once (`MCP_MAX_PROCESSES`). The one that is idle longest gives way to a new one. */
export class ProcessSlots {
  private readonly holders = new Set<SlotHolder>();
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly max: number,
    private readonly patienceMs: number,
  ) {}

  /**
   * Takes a slot.
   * @throws {McpUnavailable} when all slots stay in use for longer than the patience lasts
   */
  async take(holder: SlotHolder): Promise<void> {
    const deadline = Date.now() + this.patienceMs;
    while (this.holders.size >= this.max) {
      const idlest = this.longestIdle();
      if (idlest) await this.evict(idlest);
      else if (!(await this.slotIsReleased(deadline - Date.now()))) throw this.full();
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

  private slotIsReleased(withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (released: boolean): void => {
        clearTimeout(timer);
        this.waiting.delete(wake);
        resolve(released);
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
      `All ${this.max} process slots for MCP servers are in use. Try again in ${seconds} s.`,
      seconds,
    );
  }
}
