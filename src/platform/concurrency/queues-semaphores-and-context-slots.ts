import { AsyncLocalStorage } from 'node:async_hooks';

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

/** Runs work for a key at once, and however often it is asked for in the pause that follows, once more at its end. */
export class Coalesced {
  /** The keys in whose pause the work was asked for again, or not. */
  private readonly asked = new Map<string, boolean>();

  constructor(private readonly pauseMs: number) {}

  run(key: string, work: () => void): void {
    if (this.asked.has(key)) {
      this.asked.set(key, true);
      return;
    }
    this.asked.set(key, false);
    work();
    setTimeout(() => this.goOn(key, work), this.pauseMs).unref();
  }

  private goOn(key: string, work: () => void): void {
    const isAsked = this.asked.get(key);
    this.asked.delete(key);
    if (isAsked) this.run(key, work);
  }
}

/** Returns a function that passes on so many values per second to `take`, and drops the others. */
export function atMost<T>(perSecond: number, take: (value: T) => void): (value: T) => void {
  let since = 0;
  let taken = 0;
  return (value) => {
    if (performance.now() - since >= 1_000) [since, taken] = [performance.now(), 0];
    taken += 1;
    if (taken <= perSecond) take(value);
  };
}

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

/**
 * The values of all slots for the work that runs now. There is one storage in the process for all of them: Node copies each
 * storage with every promise that is made, and a tool call makes a hundred.
 */
const current = new AsyncLocalStorage<readonly unknown[]>();
let slots = 0;

/**
 * A value that belongs to a piece of work and to everything that it awaits or starts, such as the request or the open
 * transaction. Make one per kind of value, when its module is loaded.
 */
export class ContextSlot<T> {
  private readonly at: number;

  constructor() {
    this.at = slots;
    slots += 1;
  }

  /** Returns the value of the work that runs now; undefined outside of such work. */
  get(): T | undefined {
    return current.getStore()?.[this.at] as T | undefined;
  }

  /** Runs `work` with this value. Those of other slots stay as they are. */
  run<Result>(value: T | undefined, work: () => Result): Result {
    const values = [...(current.getStore() ?? [])];
    values[this.at] = value;
    return current.run(values, work);
  }

  /** Runs `work` without a value in this slot, for what goes on when the present work has ended. */
  exit<Result>(work: () => Result): Result {
    return this.get() === undefined ? work() : this.run(undefined, work);
  }
}
