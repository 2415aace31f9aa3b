import type { QueryClient, QueryKey } from '@tanstack/react-query';

const PAUSE_MS = 250;

/**
 * Collects stale keys and refreshes them at most four times per second, and never while the tab is hidden: fifty
 * events per second would otherwise mean fifty renders.
 */
export class BatchedRefresh {
  private readonly stale = new Map<string, QueryKey>();
  private timer: ReturnType<typeof setTimeout> | null = null;

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
  }

  private readonly schedule = (): void => {
    if (this.timer !== null || document.hidden || this.stale.size === 0) return;
    this.timer = setTimeout(this.flush, PAUSE_MS);
  };

  private readonly flush = (): void => {
    this.timer = null;
    const queryKeys = [...this.stale.values()];
    this.stale.clear();
    for (const queryKey of queryKeys) void this.client.invalidateQueries({ queryKey });
  };
}
