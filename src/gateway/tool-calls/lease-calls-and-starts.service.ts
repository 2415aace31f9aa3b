import { AsyncResource } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { CallReason } from '../../mcp/server-tools/call-arguments-outcomes-reasons.js';
import { type CallStartRule, CallStartsService } from '../../mcp/tools-hosts/call-starts.service.js';
import type { KeyedLease } from '../../platform/authentication/lease-keys.service.js';
import type { LeasePrincipal } from '../../platform/authentication/principals-and-roles.js';
import { TransactionsService, TryAgain } from '../../platform/database/transactions.service.js';
import { RepeatedFailure } from '../../platform/failures/repeated-failure.js';
import { Problem } from '../../platform/http/problem.js';
import { PLATFORM_PREFIX } from '../agent-tools/agent-tools.service.js';
import { ApprovalOutdated } from '../approvals/approval-requests-and-errors.service.js';
import { ApprovedCallStartService } from '../approvals/approved-call-start.service.js';
import { type AgentCallStart, type Exchange, LeaseOver } from '../calls/exchange.js';
import {
  type LeaseStanding,
  LeaseStandingsRepository,
  LostLeasesService,
} from '../calls/lease-standings-and-refusals.service.js';

/** A call that is about to begin. */
interface Entrant {
  lease: KeyedLease;
  heedsHalt: boolean;
  since: number;
  start: () => void;
  refuse: (error: unknown) => void;
}

/**
 * Whether a call of this lease may not begin, or go on (contract §7.9).
 * @param heedsHalt whether the call stops while its agent is halted or disabled
 */
function isOver({ good, suspended }: LeaseStanding, heedsHalt: boolean): boolean {
  return !good || (heedsHalt && suspended !== null);
}

const MOST_AT_ONCE = 100;

/** When to look again at a lease that another transaction is about to end, and for how long, in milliseconds. */
const RETRY_MS = 5;
const PATIENCE_MS = 10_000;

/** PostgreSQL ends a transaction, and with it the locks, that has waited for its client for 15 s. */
const LOCKED_MS = 10_000;

/**
 * The moment at which a call of a lease key begins (contract §7.9). No call begins after the commit that ended its
 * lease, in any process. In one transaction it holds off what would end the lease, looks whether the lease lives,
 * and starts the call. All calls of the process that wait for it share that transaction.
 */
@Injectable()
export class LeaseCallStartService {
  private waiting: Entrant[] = [];
  private isOpen = false;

  constructor(
    private readonly standings: LeaseStandingsRepository,
    private readonly transactions: TransactionsService,
  ) {}

  /**
   * Calls `start` while the lease lives. What `start` writes at once is on its way before the lease can end.
   * @param heedsHalt whether the call is refused while its agent is halted or disabled
   * @throws {LeaseOver}
   */
  enter(lease: KeyedLease, heedsHalt: boolean, start: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      // Without this, it would run in the context of the call that began the transaction, and inside it.
      const startHere = AsyncResource.bind(() => {
        start();
        resolve();
      });
      this.add([{ lease, heedsHalt, since: performance.now(), start: startHere, refuse: reject }]);
    });
  }

  private add(entrants: Entrant[]): void {
    this.waiting.push(...entrants);
    if (this.isOpen) return;
    this.isOpen = true;
    void this.open();
  }

  private async open(): Promise<void> {
    while (this.waiting.length > 0) {
      const entrants = this.waiting.splice(0, MOST_AT_ONCE);
      try {
        await this.transactions.run(() => this.decide(entrants));
      } catch (error) {
        // Those that have started are settled, and this changes nothing for them.
        for (const { refuse } of entrants) refuse(error);
      }
    }
    this.isOpen = false;
  }

  private async decide(entrants: Entrant[]): Promise<void> {
    const leases = entrants.map(({ lease }) => lease);
    const begun = performance.now();
    const held = await this.standings.holdOff(leases);
    // A statement of its own: it has to see what was committed before the locks were taken.
    const standings = await this.standings.read(leases);
    // A process that stood still must not act on what it read before.
    if (performance.now() - begun > LOCKED_MS) throw new TryAgain();
    for (const [at, entrant] of entrants.entries()) {
      if (isOver(standings[at]!, entrant.heedsHalt)) entrant.refuse(new LeaseOver());
      else if (held[at]) entrant.start();
      else this.lookAgain(entrant);
    }
    // The locks are released after everything that was started has been handed to its connection.
    await nextTurn();
  }

  private lookAgain(entrant: Entrant): void {
    if (performance.now() - entrant.since > PATIENCE_MS)
      entrant.refuse(
        new Problem('unavailable', 'The lease of this call is being changed. Try again in a moment.'),
      );
    else setTimeout(() => this.add([entrant]), RETRY_MS);
  }
}

type Loose = Record<string, unknown>;

/** Checks the token itself, so that its repetition after the end of the lease returns what the first one did. */
const CHECKS_ITSELF = `${PLATFORM_PREFIX}update_issue`;

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
    for (const [at, standing] of standings.entries())
      if (this.running.has(running[at]!) && isOver(standing, true)) running[at]!.abort.abort(new LeaseOver());
  }
}

/** Runs tool calls that came with a lease key, and answers those that its lease does not allow (contract §7.9). */
@Injectable()
export class LeaseCallsService {
  constructor(
    private readonly worker: LeaseCallsWorker,
    private readonly callStart: LeaseCallStartService,
    private readonly lost: LostLeasesService,
  ) {}

  /** Runs a call at a server. */
  run(
    agent: LeasePrincipal,
    isLost: boolean,
    exchange: Exchange,
    call: (bound: Exchange) => Promise<Loose>,
  ): Promise<Loose> {
    return this.answered(agent, isLost, () => this.worker.run(agent, exchange, call));
  }

  /** Runs a tool of the platform. A halt does not keep it from handing in what it has. */
  begin(agent: LeasePrincipal, name: string, isLost: boolean, call: () => Promise<Loose>): Promise<Loose> {
    if (name === CHECKS_ITSELF) return call();
    return this.answered(agent, isLost, () => this.whileLeaseLives(agent, call));
  }

  private async whileLeaseLives({ id, lease }: LeasePrincipal, call: () => Promise<Loose>): Promise<Loose> {
    let result!: Promise<Loose>;
    await this.callStart.enter({ agentId: id, ...lease }, false, () => {
      result = call();
      // It may fail before the transaction has ended. The caller gets the error below.
      result.catch(() => undefined);
    });
    return result;
  }

  private async answered(agent: LeasePrincipal, isLost: boolean, run: () => Promise<Loose>): Promise<Loose> {
    if (isLost) return this.lost.result(agent);
    try {
      return await run();
    } catch (error) {
      if (error instanceof LeaseOver) return this.lost.result(agent);
      throw error;
    }
  }
}

type Refusal = { lease: true } | { gateId: string; reason: CallReason };

/** Looks, in the process that sends a call, whether it may begin (contract §5.7, §7.9). */
@Injectable()
export class CallStartRuleService implements CallStartRule, OnModuleInit {
  constructor(
    private readonly starts: CallStartsService,
    private readonly leases: LeaseCallStartService,
    private readonly approvals: ApprovedCallStartService,
  ) {}

  onModuleInit(): void {
    this.starts.rule = this;
  }

  beginOf({ lease, approvedBy }: AgentCallStart): (send: () => void) => Promise<void> {
    const whileLeaseLives = lease && ((send: () => void) => this.leases.enter(lease, true, send));
    if (approvedBy) return this.approvals.beginOf(approvedBy, whileLeaseLives);
    return whileLeaseLives ?? (async (send) => send());
  }

  refusalOf(error: unknown): Refusal | null {
    if (error instanceof LeaseOver) return { lease: true };
    return error instanceof ApprovalOutdated
      ? { gateId: String(error.members['gateId']), reason: error.reason }
      : null;
  }

  errorOf(refusal: Refusal): Error {
    return 'lease' in refusal ? new LeaseOver() : new ApprovalOutdated(refusal.gateId, refusal.reason);
  }
}
