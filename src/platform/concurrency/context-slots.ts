import { AsyncLocalStorage } from 'node:async_hooks';

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
