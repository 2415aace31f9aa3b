import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import type { AgentPrincipal, LeaseOfKey } from '../../../platform/auth/principal.js';
import { RepeatedFailure } from '../../../platform/failures/repeated-failure.js';
import type { Exchange } from '../calls/exchange.js';
import { LeaseOver } from './lease-over.js';
import { LeaseStandingsRepository } from './lease-standings.repository.js';

/** A caller with the key of a lease. */
export type LeasePrincipal = AgentPrincipal & { lease: LeaseOfKey };

/** A call that runs at a server. */
interface Running {
  agentId: string;
  issueId: string;
  token: number;
  abort: AbortController;
}

/** A call is cancelled within a second of the end of its lease; a call that is shorter costs no look at the database. */
const ROUND_MS = 400;

/** Runs calls at servers for lease keys, and cancels those whose lease ends meanwhile (contract §7.9). */
@Injectable()
export class LeaseCallsWorker implements BeforeApplicationShutdown {
  private readonly failure = new RepeatedFailure(
    new Logger(LeaseCallsWorker.name),
    'Whether the leases of running calls live could not be read',
  );
  private readonly running = new Set<Running>();
  private timer: NodeJS.Timeout | null = null;
  private isEnding = false;

  constructor(private readonly standings: LeaseStandingsRepository) {}

  /**
   * Runs a call with an exchange that begins only while the lease lives, and is cancelled when it ends.
   * @throws {LeaseOver} when the lease ended before the call had a result
   */
  async run<T>(agent: LeasePrincipal, exchange: Exchange, call: (bound: Exchange) => Promise<T>): Promise<T> {
    const lease = { agentId: agent.id, ...agent.lease };
    const running = { ...lease, abort: new AbortController() };
    this.running.add(running);
    this.schedule();
    try {
      const signal = AbortSignal.any([exchange.signal, running.abort.signal]);
      const leaveLease = () => void this.running.delete(running);
      const result = await call({ ...exchange, signal, start: { ...exchange.start, lease }, leaveLease });
      if (running.abort.signal.aborted) throw new LeaseOver();
      return result;
    } catch (error) {
      throw running.abort.signal.aborted ? new LeaseOver() : error;
    } finally {
      this.running.delete(running);
    }
  }

  /** Calls that still run at shutdown get the response of a restart. */
  beforeApplicationShutdown(): void {
    this.isEnding = true;
    if (this.timer) clearTimeout(this.timer);
  }

  private schedule(): void {
    if (this.isEnding) return;
    this.timer ??= setTimeout(() => void this.round(), ROUND_MS);
  }

  private async round(): Promise<void> {
    const running = [...this.running];
    try {
      if (running.length > 0) await this.cancelOver(running);
      this.failure.succeeded();
    } catch (error) {
      this.failure.failed(error);
    }
    this.timer = null;
    if (this.running.size > 0) this.schedule();
  }

  private async cancelOver(running: Running[]): Promise<void> {
    const standings = await this.standings.read(running);
    for (const [at, { good, suspended }] of standings.entries())
      if (this.running.has(running[at]!) && (!good || suspended !== null))
        running[at]!.abort.abort(new LeaseOver());
  }
}
