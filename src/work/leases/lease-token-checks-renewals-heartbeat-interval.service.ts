import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Settings } from '../../platform/config/settings.js';
import { type BriefChanges, changesBetween, NO_CHANGES } from '../issue-status/brief-changes.js';
import { IssueLease } from '../issue-status/issue-lease.entities.js';
import {
  type HeardBrief,
  IssueLeaseRepository,
  type LeaseRow,
  type NamedLease,
  type RenewedLease,
} from '../issue-status/issue-lease.repository.js';
import { type LockedIssue, parseIssueReference } from '../issue-status/issue-row-and-references.js';
import { reasonOfLoss, type StopReason, stopReasonOf } from '../issue-status/stop-reasons.js';
import type { Status } from '../issue-status/issue-status.js';
import { NotYours } from '../issue-status/issue-access.service.js';
import { Problem } from '../../platform/http/problem.js';

const LONGEST_SECONDS = 30;

/** Returns how many seconds an agent waits between heartbeats: three fit into a lease, so that one may be lost. */
export function heartbeatIntervalSeconds(leaseSeconds: number): number {
  return Math.max(1, Math.min(LONGEST_SECONDS, Math.floor(leaseSeconds / 3)));
}

/** Renews the leases of workers and returns what became of them (contract §7). `PickUpsService` hands out new ones. */
@Injectable()
export class IssueLeasesService {
  constructor(
    @InjectRepository(IssueLease) private readonly leases: IssueLeaseRepository,
    private readonly settings: Settings,
  ) {}

  /** Returns the ids of the issues that a worker names by id or key. What names no issue that the agent sees is absent. */
  async idsOf(agentId: string, references: string[]): Promise<Map<string, string>> {
    const parsed = references.map((reference) => ({ reference, name: parseIssueReference(reference) }));
    const keys = parsed.flatMap(({ name }) => (name && 'number' in name ? [name] : []));
    const found = keys.length > 0 ? await this.leases.findByKeys(agentId, keys) : [];
    const byKey = new Map(found.map(({ key, id }) => [key, id]));
    const ids = new Map<string, string>();
    for (const { reference, name } of parsed) {
      const id = name && 'id' in name ? name.id.toLowerCase() : byKey.get(reference);
      if (id !== undefined) ids.set(reference, id);
    }
    return ids;
  }

  /** Renews those leases that are still the worker's. */
  renew(agentId: string, named: NamedLease[], worker: string | null = null): Promise<RenewedLease[]> {
    return this.leases.renew(agentId, named, this.settings.leaseSeconds, worker);
  }

  /** Gives the leases of a worker new tokens, so that the process that has held them cannot go on. */
  takeOver(agentId: string, worker: string): Promise<void> {
    return this.leases.takeOver(agentId, worker);
  }

  /** Returns the leases that a worker has to hear of. */
  ofWorker(agentId: string, worker: string): Promise<NamedLease[]> {
    return this.leases.findOfWorker(agentId, worker);
  }

  /** The worker has heard that its leases of these issues ended. */
  async forget(agentId: string, worker: string, issueIds: string[]): Promise<void> {
    if (issueIds.length > 0) await this.leases.forget(agentId, worker, issueIds);
  }

  /** Returns what changed in the brief since the agent last received it, which it hereby does. */
  async takeChanges(agentId: string, issueId: string): Promise<BriefChanges> {
    const brief = await this.leases.takeBrief(agentId, issueId);
    return brief ? changesBetween(brief.heard, brief.present) : NO_CHANGES;
  }

  /** Returns what the agent knew of issues that it had before, and how they are now. */
  heardOf(agentId: string, issueIds: string[]): Promise<HeardBrief[]> {
    return issueIds.length > 0 ? this.leases.findHeard(agentId, issueIds) : Promise.resolve([]);
  }

  /**
   * Returns why a worker must stop, by the id of each of these issues. One that is absent was deleted, or is not seen.
   * @param held with the token 0 where the worker names none
   * @param isPast whether what ended the lease counts also after it is over
   */
  async stopReasons(agentId: string, held: NamedLease[], isPast = true): Promise<Map<string, StopReason>> {
    const standings = await this.leases.findStandings(agentId, held);
    return new Map(
      standings.map(({ endedAs, ...standing }) => [
        standing.id,
        stopReasonOf({ ...standing, endedAs: isPast ? endedAs : null }),
      ]),
    );
  }

  countLive(agentId: string): Promise<number> {
    return this.leases.countLive(agentId);
  }
}

/** How an agent ended its lease: with a status that it asked for, or by releasing the issue. */
export type Outcome = Status | 'released';

/**
 * Whether an outcome hands in the work of the newest lease of an issue, which ended with a pause or a blocker: work that
 * is finished is not thrown away (contract §7.2).
 */
export function isHandIn(
  { status, paused }: LockedIssue,
  { ended, endedAs }: LeaseRow,
  outcome: Outcome | null,
): boolean {
  if (outcome !== 'PendingReview' || !ended) return false;
  if (status === 'Open' && paused) return true;
  return endedAs !== null && ['Open', 'InProgress', 'WaitingOnDependency'].includes(status);
}

/** Returns the status of an issue after its work was handed in: one that waits goes on waiting. */
export const statusOfHandIn = ({ status }: LockedIssue): Status =>
  status === 'WaitingOnDependency' ? status : 'PendingReview';

/** Checks the fencing token: a worker whose issue another worker has taken over cannot write (contract §7). */
@Injectable()
export class LeaseCheckService {
  constructor(
    @InjectRepository(IssueLease) private readonly leases: IssueLeaseRepository,
    private readonly settings: Settings,
  ) {}

  /**
   * Checks an agent's change of a locked issue. While a lease is live the change must carry its token. A token whose
   * lease ran out is still good while no worker has taken the issue over, and renews the lease.
   * @param outcome the status that the change asks for; null for a change that ends no work
   * @returns whether it hands in the work of a lease that has ended
   * @throws {LeaseTokenRequired | LeaseLost} when the token is missing or not the newest
   */
  async require(
    agentId: string,
    issue: LockedIssue,
    token: number | null,
    outcome: Status | null = null,
  ): Promise<boolean> {
    const lease = await this.leases.lock(issue.id);
    if (token === null) {
      if (lease?.live) throw new LeaseTokenRequired();
      return false;
    }
    const isNewest = lease?.agentId === agentId && lease.token === token;
    if (isNewest && isHandIn(issue, lease, outcome)) return true;
    if (!isNewest || lease.ended) throw await this.lost(agentId, issue, token);
    await this.leases.renew(agentId, [{ issueId: issue.id, token }], this.settings.leaseSeconds, null);
    return false;
  }

  /**
   * Checks who ends a lease. An issue whose lease ended with a pause or a blocker takes PendingReview from its last
   * holder: work that is finished is not thrown away.
   * @returns the lease of the token
   * @throws {LeaseLost | NotYours} when the agent does not hold the lease of this token
   */
  async requireHolder(
    agentId: string,
    issue: LockedIssue,
    token: number,
    outcome: Outcome,
  ): Promise<LeaseRow> {
    const lease = await this.leases.lock(issue.id);
    const isNewest = lease?.agentId === agentId && lease.token === token;
    if (issue.assignedAgentId !== agentId) throw isNewest ? new LeaseLost('reassigned') : new NotYours();
    if (isNewest && (!lease.ended || isHandIn(issue, lease, outcome))) return lease;
    throw await this.lost(agentId, issue, token);
  }

  /** Returns the refusal of a token that is not good any more, with the reason. */
  async lost(agentId: string, issue: LockedIssue, token: number): Promise<LeaseLost> {
    return new LeaseLost(await reasonOfLoss(this.leases, agentId, { issueId: issue.id, token }));
  }
}

/** 409: a lease of the caller lives, and the change does not carry its token. */
export class LeaseTokenRequired extends Problem {
  constructor() {
    super(
      'lease_token_required',
      'You hold a lease of this issue: send its token, as the header Lease-Token or as leaseToken of a tool call.',
    );
  }
}

/** 409: the token is not that of a lease that the caller holds. `reason` says why its work on the issue is over. */
export class LeaseLost extends Problem {
  constructor(reason: StopReason) {
    super(
      'lease_lost',
      'This token is not that of your newest lease of the issue, or the lease has ended: stop work on the issue.',
      { members: { reason } },
    );
  }
}
