const PAUSE_MS = 250;
/** The share of the time that work may take: after a batch of 200 ms, the next begins 600 ms later. */
const REST = 3;

/**
 * Collects what events name and works on it at most four times per second, never on two batches at once, and never
 * while the tab is hidden. What takes long is done less often.
 */
export class Batches<Item> {
  /** By key, so that an item which many events name is worked on once. */
  private waiting = new Map<string, Item>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private busy = false;
  private stopped = false;
  private pause = PAUSE_MS;

  /** @param work must not reject: nothing waits for it */
  constructor(private readonly work: (items: Item[]) => Promise<unknown>) {
    document.addEventListener('visibilitychange', this.schedule);
  }

  add(key: string, item: Item): void {
    this.waiting.set(key, item);
    this.schedule();
  }

  stop(): void {
    this.stopped = true;
    document.removeEventListener('visibilitychange', this.schedule);
    if (this.timer !== null) clearTimeout(this.timer);
    this.waiting.clear();
  }

  private readonly schedule = (): void => {
    const mayBegin = this.timer === null && !this.busy && !this.stopped && !document.hidden;
    if (mayBegin && this.waiting.size > 0) this.timer = setTimeout(() => void this.flush(), this.pause);
  };

  private async flush(): Promise<void> {
    this.timer = null;
    this.busy = true;
    const items = [...this.waiting.values()];
    this.waiting = new Map();
    const began = performance.now();
    await this.work(items);
    this.pause = Math.max(PAUSE_MS, REST * (performance.now() - began));
    this.busy = false;
    this.schedule();
  }
}
