import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Settings } from '../../platform/config/settings.js';
import { IssueLease } from '../issue-status/issue-lease.entity.js';
import { type LeaseRow, IssueLeaseRepository } from '../issue-status/issue-lease.repository.js';
import type { LockedIssue } from '../issue-status/issue-row.js';
import type { Status } from '../issue-status/issue-status.js';
import { LeaseLost, LeaseTokenRequired, NotYours } from '../issue-status/issues.errors.js';
import { reasonOfLoss } from '../issue-status/stop-reasons.js';

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
