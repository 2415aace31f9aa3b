import { McpUnavailable } from '../connection/mcp-errors.js';
import { credentialSetOf } from '../server-scope.js';

/** The process that a call goes to, and its caller: the queue is fair between callers. */
export interface CallPlace {
  serverId: string;
  credentialSetId: string;
  /** Identifies the process. */
  key: string;
  caller: string;
}

/** Names the process and the caller, by which call slots are counted. */
export function placeOf(serverId: string, scope: string, { caller = scope }: { caller?: string }): CallPlace {
  return {
    serverId,
    credentialSetId: credentialSetOf(serverId, scope),
    key: `${serverId}/${scope}`,
    caller,
  };
}

export interface CallSlotLimits {
  callsPerProcess: number;
  callsInAll: number;
  queueLength: number;
  patienceMs: number;
}

interface Waiter {
  place: CallPlace;
  admit: () => void;
  refuse: (reason: McpUnavailable) => void;
}

/**
 * Limits how many calls run per process and in all. Further calls wait in a fair queue: callers take turns, so that one
 * with hundreds of calls does not keep the others out, and a full process holds up only its own calls. A call that
 * has waited for too long, or that finds the queue full, is refused with the time to try again.
 */
export class CallSlots {
  private readonly running = new Map<string, number>();
  private total = 0;
  private queued = 0;
  /** By caller, in the order in which the callers are served. */
  private readonly queues = new Map<string, Waiter[]>();

  constructor(private readonly limits: CallSlotLimits) {}

  /**
   * Waits until the call may run, and returns the function to call once it is over.
   * @throws {McpUnavailable} when the queue is full, the wait takes too long, or the call is cancelled
   */
  async enter(place: CallPlace, signal?: AbortSignal): Promise<() => void> {
    if (this.hasRoom(place)) this.take(place);
    else if (this.queued >= this.limits.queueLength) throw this.busy();
    else await this.wait(place, signal);
    return () => this.leave(place);
  }

  /** Admits a call without waiting; returns null where it would have to wait. */
  tryEnter(place: CallPlace): (() => void) | null {
    if (!this.hasRoom(place)) return null;
    this.take(place);
    return () => this.leave(place);
  }

  /** Refuses all waiting calls, or those to one server. */
  refuseWaiting(reason: McpUnavailable, serverId?: string, credentialSetId?: string): void {
    const waiters = [...this.queues.values()].flat();
    waiters
      .filter(({ place }) => serverId === undefined || place.serverId === serverId)
      .filter(({ place }) => credentialSetId === undefined || place.credentialSetId === credentialSetId)
      .forEach((waiter) => waiter.refuse(reason));
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
        refuse: (reason) => settle(() => reject(reason)),
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

  /**
   * Admits a call of the first caller that waits for a process with room, and moves that caller to the end of the
   * queue.
   */
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
