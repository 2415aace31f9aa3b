import { withoutSpan } from '../tracing/spans.js';
import { tracedRead } from './service.client.js';
import { outsideTransaction } from './transactions.service.js';

interface Waiter<Value> {
  resolve: (value: Value | null) => void;
  reject: (error: unknown) => void;
}

/**
 * Batches small reads that every request needs: keys that arrive while one statement runs are read together in the
 * next. Nothing is cached: a read is served only by a statement that began after it was requested, so everything
 * committed before a request is visible to it, as if it had read alone.
 */
export class BatchedReads<Value> {
  private waiting = new Map<string, Waiter<Value>[]>();
  private busy = false;

  /**
   * @param name names the read in traces
   * @param readAll reads outside of any transaction; a key that its result lacks reads as null
   * @param most keys of one statement; others wait for the next one
   */
  constructor(
    private readonly name: string,
    private readonly readAll: (keys: string[]) => Promise<Map<string, Value>>,
    private readonly most = Infinity,
  ) {}

  /** @throws what the statement threw; every read of the same statement fails with it */
  read(key: string): Promise<Value | null> {
    return tracedRead(this.name, () => this.wait(key));
  }

  private wait(key: string): Promise<Value | null> {
    return new Promise((resolve, reject) => {
      const waiters = this.waiting.get(key);
      if (waiters) waiters.push({ resolve, reject });
      else this.waiting.set(key, [{ resolve, reject }]);
      if (this.busy) return;
      this.busy = true;
      // Reads of the same turn of the event loop join the statement.
      setImmediate(() => void outsideTransaction(() => withoutSpan(() => this.readWaiting())));
    });
  }

  private async readWaiting(): Promise<void> {
    while (this.waiting.size > 0) {
      await this.readBatch(this.nextBatch());
    }
    this.busy = false;
  }

  private nextBatch(): Map<string, Waiter<Value>[]> {
    const waiting = [...this.waiting];
    this.waiting = new Map(waiting.slice(this.most));
    return new Map(waiting.slice(0, this.most));
  }

  private async readBatch(batch: Map<string, Waiter<Value>[]>): Promise<void> {
    try {
      const found = await this.readAll([...batch.keys()]);
      for (const [key, waiters] of batch) for (const { resolve } of waiters) resolve(found.get(key) ?? null);
    } catch (error) {
      for (const waiters of batch.values()) for (const { reject } of waiters) reject(error);
    }
  }
}
