import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { Settings } from '../../platform/config/settings.js';
import { JournalFollowerWorker } from '../../platform/journal/journal-follower.worker.js';
import type { JournalSubscription } from '../../platform/journal/journal-subscription.js';
import { type Heartbeat, type HeartbeatCall, HeartbeatService } from './heartbeat.service.js';
import { type HeldLease, HeartbeatRepository } from './heartbeat.repository.js';

/** A worker whose heartbeat waits. */
export interface WaitingWorker {
  agentId: string;
  /** Whether it can take an issue. */
  hasCapacity: boolean;
  leases: HeldLease[];
}

/** What may give a worker an issue, or end its work. */
const WATCHED = /^(issue|link|project|agent)\./;

/** Leases run out and issues that were given back become free without an event. */
const ROUND_MS = 500;

/** How many workers of one agent wake up for new work in a round: one takes all that it can. */
const WOKEN = 3;

type Waiter = WaitingWorker & { wake: AbortController };

/**
 * Lets heartbeats wait until there is something to start or to stop (contract §7.1). All waiting workers of the process
 * share one look at the database: two statements per round, whatever their number, after news in the journal and twice
 * a second. A waiting worker holds no connection. Each round looks at the state itself and not at what changed, so a
 * change right before the wait is not missed.
 */
@Injectable()
export class HeartbeatWakingWorker implements BeforeApplicationShutdown {
  private readonly waiters = new Set<Waiter>();
  private subscription: JournalSubscription | null = null;
  /** Whether the service shuts down: nothing waits any more. */
  isEnding = false;

  constructor(
    private readonly journal: JournalFollowerWorker,
    private readonly repository: HeartbeatRepository,
  ) {}

  /**
   * Waits until the worker should look again.
   * @returns false when there is nothing to wait for any more: after `ms`, when `signal` aborts, or at shutdown
   */
  async wait(worker: WaitingWorker, ms: number, signal: AbortSignal): Promise<boolean> {
    if (this.isEnding || signal.aborted) return false;
    const waiter = { ...worker, wake: new AbortController() };
    this.waiters.add(waiter);
    this.follow();
    const ends = { signal: AbortSignal.any([waiter.wake.signal, signal]) };
    // The pause rejects when it is cut short, which is how a wait ends early.
    await pause(ms, undefined, ends).catch(() => undefined);
    this.waiters.delete(waiter);
    await this.unfollow();
    return waiter.wake.signal.aborted && !this.isEnding;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    for (const { wake } of this.waiters) wake.abort();
    this.waiters.clear();
    await this.unfollow();
  }

  private follow(): void {
    this.subscription ??= this.journal.subscribe({
      name: 'Waiting heartbeats could not be checked',
      types: WATCHED,
      everyMs: ROUND_MS,
      handle: () => this.round(),
    });
  }

  private async unfollow(): Promise<void> {
    if (this.waiters.size > 0 || !this.subscription) return;
    const { subscription } = this;
    this.subscription = null;
    await this.journal.unsubscribe(subscription);
  }

  private async round(): Promise<void> {
    const waiters = [...this.waiters];
    const leases = waiters.flatMap((waiter) => waiter.leases);
    if (leases.length > 0) await this.wakeStopped(waiters, leases);
    const idle = waiters.filter(({ hasCapacity }) => hasCapacity);
    if (idle.length > 0) await this.wakeReady(idle);
  }

  private async wakeStopped(waiters: Waiter[], leases: HeldLease[]): Promise<void> {
    const over = new Set((await this.repository.findOver(leases)).map(nameOf));
    for (const { leases: held, wake } of waiters)
      if (held.some((lease) => over.has(nameOf(lease)))) wake.abort();
  }

  /** Wakes no more workers of an agent than it has free slots, the one that has waited longest first. */
  private async wakeReady(idle: Waiter[]): Promise<void> {
    const ready = await this.repository.findReady([...new Set(idle.map(({ agentId }) => agentId))]);
    for (const { agentId, free } of ready)
      for (const { wake } of idle
        .filter((waiter) => waiter.agentId === agentId)
        .slice(0, Math.min(free, WOKEN)))
        wake.abort();
  }
}

function nameOf({ agentId, issueId, token }: HeldLease): string {
  return `${agentId} ${issueId} ${token}`;
}

/** Handles heartbeats that wait until there is something to start or to stop (contract §7.1). */
@Injectable()
export class WaitingHeartbeatsService {
  constructor(
    private readonly heartbeats: HeartbeatService,
    private readonly waking: HeartbeatWakingWorker,
    private readonly settings: Settings,
  ) {}

  /**
   * @param seconds at most a third of the lease is waited, so that two heartbeats still fit into it
   * @param signal aborts when the caller is gone
   */
  async handle(
    caller: AgentPrincipal,
    call: HeartbeatCall,
    seconds: number,
    signal: AbortSignal,
  ): Promise<Heartbeat> {
    const end = performance.now() + Math.min(seconds, this.settings.leaseSeconds / 3) * 1000;
    for (;;) {
      const heartbeat = await this.heartbeats.handle(caller, call);
      const left = end - performance.now();
      if (hasNews(heartbeat) || left <= 0 || signal.aborted) return heartbeat;
      const leases = heartbeat.active.map(({ id, token }) => ({ agentId: caller.id, issueId: id, token }));
      const worker = { agentId: caller.id, hasCapacity: call.capacity !== 0, leases };
      if (!(await this.waking.wait(worker, left, signal)) && leases.length === 0) return heartbeat;
      // Work that is handed to a caller who is gone is lost until its lease runs out.
      if (signal.aborted || this.waking.isEnding) return heartbeat;
    }
  }
}

function hasNews({ work, pickedUp, stop }: Heartbeat): boolean {
  if (work) return work.some(({ state }) => state !== 'continue');
  return pickedUp.length > 0 || stop.length > 0;
}
