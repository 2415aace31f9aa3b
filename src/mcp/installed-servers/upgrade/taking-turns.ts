/** Runs work under one key one after the other, in the order in which it was asked for. */
export class TakingTurns {
  private readonly last = new Map<string, Promise<void>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve();
    const result = before.then(work);
    const mine = result.then(nothing, nothing);
    this.last.set(key, mine);
    try {
      return await result;
    } finally {
      if (this.last.get(key) === mine) this.last.delete(key);
    }
  }
}

const nothing = (): void => undefined;
