/** Runs at most a fixed number of tasks at once; further tasks wait in the order in which they came. */
export class Semaphore {
  private queue: (() => void)[] = [];

  constructor(private free: number) {}

  /** How many tasks wait. */
  get waiting(): number {
    return this.queue.length;
  }

  /**
   * Runs `task` when there is room.
   * @throws the reason of `signal` when it fires before the task starts
   */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.free > 0) this.free -= 1;
    else await this.wait(signal);
    try {
      return await task();
    } finally {
      const next = this.queue.shift();
      if (next) next();
      else this.free += 1;
    }
  }

  private wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.queue = this.queue.filter((waiter) => waiter !== enter);
        reject(signal?.reason);
      };
      const enter = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.queue.push(enter);
    });
  }
}
