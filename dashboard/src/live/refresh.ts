import type { QueryClient, QueryKey } from '@tanstack/react-query';

const PAUSE_MS = 250;
/** The share of the time that refreshing may take: after one that took 200 ms, the next begins 600 ms later. */
const REST = 3;

/**
 * Collects stale keys and refreshes them at most four times per second, never two refreshes at once, and never while
 * the tab is hidden. A large board is read again less often than a small one, because reading it takes longer.
 */
export class BatchedRefresh {
  private readonly stale = new Map<string, QueryKey>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private busy = false;
  private pause = PAUSE_MS;

  constructor(private readonly client: QueryClient) {
    document.addEventListener('visibilitychange', this.schedule);
  }

  add(queryKeys: readonly QueryKey[]): void {
    for (const key of queryKeys) this.stale.set(JSON.stringify(key), key);
    this.schedule();
  }

  stop(): void {
    document.removeEventListener('visibilitychange', this.schedule);
    if (this.timer !== null) clearTimeout(this.timer);
    this.stale.clear();
  }

  private readonly schedule = (): void => {
    if (this.timer !== null || this.busy || document.hidden || this.stale.size === 0) return;
    this.timer = setTimeout(() => void this.flush(), this.pause);
  };

  private async flush(): Promise<void> {
    this.timer = null;
    this.busy = true;
    const queryKeys = [...this.stale.values()];
    this.stale.clear();
    const began = performance.now();
    await Promise.allSettled(queryKeys.map((queryKey) => this.client.invalidateQueries({ queryKey })));
    this.pause = Math.max(PAUSE_MS, REST * (performance.now() - began));
    this.busy = false;
    this.schedule();
  }
}
