import { McpUnavailable } from './mcp-errors.js';

/** Where a call wants to go, and who asks: the queue takes turns between callers. */
export interface CallPlace {
  serverId: string;
  /** Names the process. */
  key: string;
  caller: string;
}

export interface GateLimits {
  callsPerProcess: number;
  callsInAll: number;
  queueLength: number;
  patienceMs: number;
}

interface Waiter {
  place: CallPlace;
  admit: () => void;
  refuse: (fault: McpUnavailable) => void;
}

/**
 * Lets so many calls run per process and in all. What is more waits in a queue that is fair: callers take
 * turns, so that one who asks for hundreds does not keep the others out, and a full process holds up only those
 * who want that one. Who has waited long enough, or finds the queue full, is told when to come again.
 */
export class CallGate {
  private readonly running = new Map<string, number>();
  private total = 0;
  private queued = 0;
  /** In the order in which callers get their turn. */
  private readonly queues = new Map<string, Waiter[]>();

  constructor(private readonly limits: GateLimits) {}

  /** Resolves, when the call may run, with the function to be called once it is over. Throws McpUnavailable. */
  async enter(place: CallPlace, signal?: AbortSignal): Promise<() => void> {
    if (!this.hasRoom(place)) await this.wait(place, signal);
    else this.take(place);
    return () => this.leave(place);
  }

  /** The same without waiting: null where the call would have to. */
  tryEnter(place: CallPlace): (() => void) | null {
    if (!this.hasRoom(place)) return null;
    this.take(place);
    return () => this.leave(place);
  }

  /** Refuses all who wait, or those who wait for this server. */
  refuseWaiting(fault: McpUnavailable, serverId?: string): void {
    const waiters = [...this.queues.values()].flat();
    waiters
      .filter(({ place }) => serverId === undefined || place.serverId === serverId)
      .forEach((waiter) => waiter.refuse(fault));
  }

  private hasRoom({ key }: CallPlace): boolean {
    return this.total < this.limits.callsInAll && (this.running.get(key) ?? 0) < this.limits.callsPerProcess;
  }

  private take({ key }: CallPlace): void {
    this.total += 1;
    this.running.set(key, (this.running.get(key) ?? 0) + 1);
  }

  private leave({ key }: CallPlace): void {
    this.total -= 1;
    const left = (this.running.get(key) ?? 1) - 1;
    if (left > 0) this.running.set(key, left);
    else this.running.delete(key);
    this.admitNext();
  }

  private wait(place: CallPlace, signal?: AbortSignal): Promise<void> {
    if (this.queued >= this.limits.queueLength) throw this.busy();
    return new Promise((resolve, reject) => {
      const onAbort = (): void => waiter.refuse(new McpUnavailable('cancelled', 'The call was cancelled.'));
      const settle = (finish: () => void): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.dequeue(waiter);
        finish();
      };
      const waiter: Waiter = {
        place,
        admit: () => settle(resolve),
        refuse: (fault) => settle(() => reject(fault)),
      };
      const timer = setTimeout(() => waiter.refuse(this.busy()), this.limits.patienceMs);
      this.enqueue(waiter);
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted) onAbort();
    });
  }

  private enqueue(waiter: Waiter): void {
    this.queued += 1;
    const { caller } = waiter.place;
    this.queues.set(caller, [...(this.queues.get(caller) ?? []), waiter]);
  }

  private dequeue(waiter: Waiter): void {
    const { caller } = waiter.place;
    const rest = (this.queues.get(caller) ?? []).filter((other) => other !== waiter);
    this.queued -= 1;
    if (rest.length > 0) this.queues.set(caller, rest);
    else this.queues.delete(caller);
  }

  /** The first caller in turn who wants a process with room gets it, and goes to the end of the line. */
  private admitNext(): void {
    for (const [caller, waiters] of this.queues) {
      const next = waiters.find(({ place }) => this.hasRoom(place));
      if (!next) continue;
      this.take(next.place);
      next.admit();
      const rest = this.queues.get(caller);
      if (rest) {
        this.queues.delete(caller);
        this.queues.set(caller, rest);
      }
      return this.admitNext();
    }
  }

  private busy(): McpUnavailable {
    const seconds = Math.max(1, Math.round(this.limits.patienceMs / 1000));
    return new McpUnavailable('busy', `Too many calls are running. Try again in ${seconds} s.`, seconds);
  }
}
