import { McpUnavailable } from '../connection/mcp-errors.js';
import { credentialSetOf } from '../server-description-and-limits.js';

/** The process that a call goes to, and whose share of the slots it takes. */
export interface CallPlace {
  serverId: string;
  credentialSetId: string;
  /** Identifies the process. */
  key: string;
  /** The agent or person who calls; null for a request that the service makes for all of them. */
  caller: string | null;
  /** Identifies the caller's part of the process. */
  share: string | null;
}

/** Names the process and the caller, by which call slots are counted. */
export function placeOf(
  serverId: string,
  scope: string,
  { caller, isForAll }: { caller?: string; isForAll?: boolean },
): CallPlace {
  const key = `${serverId}/${scope}`;
  const counted = isForAll ? null : (caller ?? null);
  return {
    serverId,
    credentialSetId: credentialSetOf(serverId, scope),
    key,
    caller: counted,
    share: counted && `${counted} ${key}`,
  };
}

export interface CallSlotLimits {
  callsPerProcess: number;
  callsInAll: number;
  /** Of one caller (`MCP_CALLS_PER_AGENT`). */
  callsPerCaller: number;
  queueLength: number;
  patienceMs: number;
}

/** How many calls run at once, and how many wait for how long (contract §7.5); the settings may say otherwise. */
export const DEFAULT_SLOTS: CallSlotLimits = {
  callsPerProcess: 32,
  callsInAll: 256,
  callsPerCaller: 32,
  queueLength: 256,
  patienceMs: 5_000,
};

interface Waiter {
  place: CallPlace;
  admit: () => void;
  refuse: (reason: McpUnavailable) => void;
}

/** Counts what is running under each name. */
class Tally {
  private readonly counts = new Map<string, number>();

  of(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  add(name: string): void {
    this.counts.set(name, this.of(name) + 1);
  }

  remove(name: string): void {
    const left = this.of(name) - 1;
    if (left > 0) this.counts.set(name, left);
    else this.counts.delete(name);
  }
}

/**
 * Limits how many calls run per process, per caller and in all; a caller has at most half of the slots of one process.
 * Further calls wait. A slot that becomes free goes to the caller that has the fewest, and callers with equally many take
 * turns, so that one with hundreds of calls does not keep the others out. A full process holds up only its own calls. A
 * call that has waited for too long is refused with the time to try again. Where the queue is full, the caller with the
 * most waiting calls loses one to a caller that has fewer.
 */
export class CallSlots {
  private readonly inProcess = new Tally();
  private readonly ofCaller = new Tally();
  private readonly ofCallerInProcess = new Tally();
  private readonly callerShareOfProcess: number;
  private total = 0;
  private queued = 0;
  /** By caller, in the order in which callers with equally many calls are served. */
  private readonly queues = new Map<string, Waiter[]>();

  constructor(private readonly limits: CallSlotLimits) {
    this.callerShareOfProcess = Math.max(1, Math.floor(limits.callsPerProcess / 2));
  }

  /**
   * Waits until the call may run, and returns the function to call once it is over.
   * @throws {McpUnavailable} when the queue is full, the wait takes too long, or the call is cancelled
   */
  async enter(place: CallPlace, signal?: AbortSignal): Promise<() => void> {
    if (this.hasRoom(place)) this.take(place);
    else {
      if (this.queued >= this.limits.queueLength) this.makeRoomInQueue(place);
      await this.wait(place, signal);
    }
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

  private hasRoom(place: CallPlace): boolean {
    return (
      this.total < this.limits.callsInAll &&
      this.inProcess.of(place.key) < this.limits.callsPerProcess &&
      !this.hasShareOfAll(place) &&
      !this.hasShareOfProcess(place)
    );
  }

  private hasShareOfAll({ caller }: CallPlace): boolean {
    return caller !== null && this.ofCaller.of(caller) >= this.limits.callsPerCaller;
  }

  private hasShareOfProcess({ share }: CallPlace): boolean {
    return share !== null && this.ofCallerInProcess.of(share) >= this.callerShareOfProcess;
  }

  private take(place: CallPlace): void {
    this.total += 1;
    this.inProcess.add(place.key);
    this.ofCaller.add(queueOf(place));
    if (place.share !== null) this.ofCallerInProcess.add(place.share);
  }

  private leave(place: CallPlace): void {
    this.total -= 1;
    this.inProcess.remove(place.key);
    this.ofCaller.remove(queueOf(place));
    if (place.share !== null) this.ofCallerInProcess.remove(place.share);
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
      const timer = setTimeout(() => waiter.refuse(this.refusal(place)), this.limits.patienceMs);
      this.enqueue(waiter);
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted) onAbort();
    });
  }

  private enqueue(waiter: Waiter): void {
    this.queued += 1;
    const name = queueOf(waiter.place);
    this.queues.set(name, [...(this.queues.get(name) ?? []), waiter]);
  }

  private dequeue(waiter: Waiter): void {
    const name = queueOf(waiter.place);
    const rest = (this.queues.get(name) ?? []).filter((other) => other !== waiter);
    this.queued -= 1;
    if (rest.length > 0) this.queues.set(name, rest);
    else this.queues.delete(name);
  }

  /** @throws {McpUnavailable} where no caller has more calls waiting than this one would have */
  private makeRoomInQueue(place: CallPlace): void {
    const own = this.queues.get(queueOf(place))?.length ?? 0;
    const [longest = []] = [...this.queues.values()].toSorted((a, b) => b.length - a.length);
    const last = longest.at(-1);
    if (!last || longest.length <= own + 1) throw this.refusal(place);
    last.refuse(this.refusal(last.place));
  }

  /** Admits waiting calls for as long as one has room, and moves the caller of each to the end of the queue. */
  private admitNext(): void {
    for (let next = this.nextWaiter(); next; next = this.nextWaiter()) {
      const name = queueOf(next.place);
      this.take(next.place);
      next.admit();
      const rest = this.queues.get(name);
      if (!rest) continue;
      this.queues.delete(name);
      this.queues.set(name, rest);
    }
  }

  /** Returns the first call that has room of the caller that has the fewest running. */
  private nextWaiter(): Waiter | null {
    let fewest = Infinity;
    let found: Waiter | null = null;
    for (const [name, waiters] of this.queues) {
      const running = this.ofCaller.of(name);
      if (running >= fewest) continue;
      const next = waiters.find(({ place }) => this.hasRoom(place));
      if (!next) continue;
      fewest = running;
      found = next;
    }
    return found;
  }

  /** Says whether the caller's own calls hold the call up, or those of others. */
  private refusal(place: CallPlace): McpUnavailable {
    const seconds = Math.max(1, Math.round(this.limits.patienceMs / 1000));
    const again = `Wait until one of them has finished, or try again in ${seconds} s.`;
    const inAll = this.ofCaller.of(queueOf(place));
    if (this.hasShareOfAll(place))
      return new McpUnavailable(
        'own_calls',
        `${inAll} of your own calls are running, the most that one caller may have at once. ${again}`,
        seconds,
      );
    if (place.share !== null && this.hasShareOfProcess(place))
      return new McpUnavailable(
        'own_calls',
        `${this.ofCallerInProcess.of(place.share)} of your own calls of this server are running, the most that one caller may have there at once. ${again}`,
        seconds,
      );
    return new McpUnavailable('busy', `Too many calls are running. Try again in ${seconds} s.`, seconds);
  }
}

/** The calls that the service makes for all wait in a queue of their process. */
function queueOf({ caller, key }: CallPlace): string {
  return caller ?? key;
}
