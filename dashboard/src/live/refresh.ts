import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { Batches } from './batches';

/** Collects stale keys and refreshes each once per batch. */
export class BatchedRefresh {
  private readonly batches: Batches<QueryKey>;

  constructor(client: QueryClient) {
    this.batches = new Batches((queryKeys) =>
      Promise.allSettled(queryKeys.map((queryKey) => client.invalidateQueries({ queryKey }))),
    );
  }

  add(queryKeys: readonly QueryKey[]): void {
    for (const key of queryKeys) this.batches.add(JSON.stringify(key), key);
  }

  stop(): void {
    this.batches.stop();
  }
}
