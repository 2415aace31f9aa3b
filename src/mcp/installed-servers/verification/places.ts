/** Lets so many run at once; the others wait in line. */
export class Places {
  private line: (() => void)[] = [];

  constructor(private free: number) {}

  /** Rejects with the reason of `signal` where that fires before there is room. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await this.wait(signal);
    try {
      return await work();
    } finally {
      const next = this.line.shift();
      if (next) next();
      else this.free += 1;
    }
  }

  private wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.line = this.line.filter((waiter) => waiter !== enter);
        reject(signal.reason);
      };
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
      this.line.push(enter);
    });
  }
}
