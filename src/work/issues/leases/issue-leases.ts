import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { Settings } from '../../../platform/config/settings.js';
import { Journal } from '../../../platform/journal/journal.js';
import type { IssueRow } from '../issue-row.js';
import { IssuesRepository } from '../issues.repository.js';
import { StatusChanges } from '../status-changes.js';
import {
  LeasesRepository,
  type CandidateRow,
  type NamedLease,
  type RenewedLease,
} from './leases.repository.js';
import { stopReasonOf, type StopReason } from './stop-reason.js';

/** An issue that was given to a worker, with the token that proves it. */
export interface PickedUp {
  issue: IssueRow;
  token: number;
  expiresAt: Date;
}

/**
 * Who works on what (spec §7): picking up, renewing, losing. Callers hold the agent's row, so that one agent's
 * workers are served one by one and never get more than it may have.
 */
@Injectable()
export class IssueLeases {
  constructor(
    private readonly leases: LeasesRepository,
    private readonly issues: IssuesRepository,
    private readonly statusChanges: StatusChanges,
    private readonly settings: Settings,
    private readonly journal: Journal,
  ) {}

  /** Renews what is still the worker's. */
  renew(agentId: string, named: NamedLease[]): Promise<RenewedLease[]> {
    return this.leases.renew(
      agentId,
      named.filter(({ issueId }) => isUuid(issueId)),
      this.settings.leaseSeconds,
    );
  }

  /** Why a worker must stop on each of these issues. */
  async stopReasons(agentId: string, issueIds: string[]): Promise<{ issueId: string; reason: StopReason }[]> {
    const standings = await this.leases.findStandings(
      agentId,
      issueIds.filter((id) => isUuid(id)),
    );
    return issueIds.map((issueId) => ({
      issueId,
      reason: stopReasonOf(standings.find(({ id }) => id === issueId) ?? null),
    }));
  }

  countLive(agentId: string): Promise<number> {
    return this.leases.countLive(agentId);
  }

  /** Gives the agent up to `limit` issues; those that failed too often go to a person instead. */
  async pickUp(agentId: string, limit: number): Promise<PickedUp[]> {
    const taken: CandidateRow[] = [];
    while (taken.length < limit) {
      const found = await this.leases.lockCandidates(
        agentId,
        limit - taken.length,
        taken.map(({ id }) => id),
      );
      const candidates = await this.withoutRenewed(found);
      const spent = candidates.filter((candidate) => this.isSpent(candidate));
      taken.push(...candidates.filter((candidate) => !this.isSpent(candidate)));
      await this.handOver(spent);
      if (spent.length === 0) break;
    }
    return taken.length === 0 ? [] : this.give(agentId, taken);
  }

  /** A late lease may have been renewed between the look at it and the lock of its issue: it stays where it is. */
  private async withoutRenewed(candidates: CandidateRow[]): Promise<CandidateRow[]> {
    const ranOut = candidates.filter((candidate) => candidate.ranOut).map(({ id }) => id);
    if (ranOut.length === 0) return candidates;
    const ended = await this.leases.endRunOut(ranOut);
    return candidates.filter((candidate) => !candidate.ranOut || ended.includes(candidate.id));
  }

  private isSpent({ ranOut, attempts }: CandidateRow): boolean {
    return ranOut && attempts + 1 >= this.settings.maxAttempts;
  }

  private async handOver(spent: CandidateRow[]): Promise<void> {
    if (spent.length === 0) return;
    await this.lose(spent);
    await this.statusChanges.apply(spent, 'exhaust', 'PendingReview', { cause: 'attempts_exhausted' });
  }

  private async give(agentId: string, taken: CandidateRow[]): Promise<PickedUp[]> {
    await this.lose(taken.filter(({ ranOut }) => ranOut));
    await this.statusChanges.apply(
      taken.filter(({ status }) => status === 'Open'),
      'pickUp',
      'InProgress',
      { cause: 'picked_up' },
    );
    const granted = await this.leases.grant(
      agentId,
      taken.map(({ id }) => id),
      this.settings.leaseSeconds,
    );
    await this.journal.record(
      ...taken.map(({ id, projectId }) => ({
        type: 'issue.picked_up' as const,
        subject: { type: 'issue', id },
        projectId,
        issueId: id,
        data: { agentId, token: granted.find(({ issueId }) => issueId === id)!.token },
      })),
    );
    const issues = await this.issues.readAll(taken.map(({ id }) => id));
    return taken.map(({ id }) => {
      const { token, expiresAt } = granted.find(({ issueId }) => issueId === id)!;
      return { issue: issues.find((issue) => issue.id === id)!, token, expiresAt };
    });
  }

  /** A lease that ran out and is taken over, or handed over, was a failed attempt. */
  private async lose(ranOut: CandidateRow[]): Promise<void> {
    if (ranOut.length === 0) return;
    await this.leases.countAttempts(
      ranOut.map(({ id }) => id),
      null,
    );
    await this.journal.record(
      ...ranOut.map(({ id, projectId }) => ({
        type: 'issue.lease_lost' as const,
        subject: { type: 'issue', id },
        projectId,
        issueId: id,
        data: { cause: 'ran_out' },
      })),
    );
  }
}
