import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Unauthenticated } from '../../platform/authentication/authentication.errors.js';
import {
  type AgentPrincipal,
  isLeaseHolder,
  type LeasePrincipal,
} from '../../platform/authentication/principal.js';
import { RepeatedFailure } from '../../platform/failures/repeated-failure.js';
import { LeaseLost } from '../../work/issue-status/issues.errors.js';
import {
  HeldLeasesRepository,
  IssueLeasesService,
  type LeaseHolder,
} from '../../work/leases/leases.service.js';
import { type CallingSession, type Exchange, LeaseOver } from './exchange.js';
import { isOver, type LeaseStanding, LeaseStandingsRepository } from './lease-standings.repository.js';
import { problemResult, type ToolResult } from './tool-result.js';

/** Returns the name under which a session holds leases. Its id alone opens the session, so that is not stored. */
export function sessionName(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}

/** Keeps the leases of agents that work by MCP alone alive, with each of their requests (contract §7.4). */
@Injectable()
export class LeaseHoldingService {
  private readonly log = new Logger(LeaseHoldingService.name);

  constructor(private readonly leases: HeldLeasesRepository) {}

  /** Returns who holds what a call takes; null for a caller without a session that gives no name. */
  holderOf(session: CallingSession | undefined, worker: string | null): LeaseHolder | null {
    if (!session && worker === null) return null;
    return { session: session?.name ?? null, worker };
  }

  /**
   * Renews the leases of the holder, and confirms that it has the token of the issue that its request names.
   * @param reference id or key
   */
  async renew(agent: AgentPrincipal, holder: LeaseHolder, reference: string | null = null): Promise<void> {
    if (agent.lease || agent.disabled) return;
    if (await this.leases.renew(agent.id, holder, reference)) await this.leases.markSeen(agent.id);
  }

  /** Renews the leases of a session with a request that does not depend on them. */
  async renewOfSession(agent: AgentPrincipal, session: string): Promise<void> {
    try {
      await this.renew(agent, { session, worker: null });
    } catch (error) {
      this.log.warn(
        `The leases of a session could not be renewed: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}

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

/** Responses to requests with the key of a lease that has ended. */
@Injectable()
export class LostLeasesService {
  constructor(
    private readonly standings: LeaseStandingsRepository,
    private readonly leases: IssueLeasesService,
  ) {}

  /** Returns the result of a call that its lease does not allow any more, with the reason. */
  async result(agent: LeasePrincipal): Promise<ToolResult> {
    const { good, suspended } = await this.standingOf(agent);
    const { issueId } = agent.lease;
    const reasons = good ? null : await this.leases.stopReasons(agent.id, [agent.lease]);
    const reason = reasons ? (reasons.get(issueId) ?? 'deleted') : (suspended ?? 'lease_lost');
    return problemResult(new LeaseLost(reason));
  }

  /**
   * Checks the lease of a lease key, for a request other than a tool call. Any other key passes.
   * @throws {Unauthenticated}
   */
  async refuse(agent: AgentPrincipal): Promise<void> {
    if (!isLeaseHolder(agent) || (await this.standingOf(agent)).good) return;
    throw new Unauthenticated('The lease of this key has ended. A new lease brings a new key.');
  }

  private async standingOf({ id, lease }: LeasePrincipal): Promise<LeaseStanding> {
    const [standing] = await this.standings.read([{ agentId: id, ...lease }]);
    return standing!;
  }
}
