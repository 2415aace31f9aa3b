/** Runs tasks with the same key one after the other, in the order in which they came; other keys do not wait. */
export class KeyedQueue {
  private readonly last = new Map<string, Promise<void>>();

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const previous = this.last.get(key) ?? Promise.resolve();
    const result = previous.then(task);
    const settled = result.then(ignore, ignore);
    this.last.set(key, settled);
    try {
      return await result;
    } finally {
      if (this.last.get(key) === settled) this.last.delete(key);
    }
  }
}

/** The caller of `run` receives the result and the error; the queue only waits for the end. */
const ignore = (): void => undefined;
