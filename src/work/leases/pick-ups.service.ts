import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Settings } from '../../platform/config/settings.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { AttemptsRepository, isLastAttempt } from '../issue-status/issue-attempts.repository.js';
import type { IssueRow } from '../issue-status/issue-row.js';
import { Issue } from '../issue-status/issue.entity.js';
import { IssueRepository } from '../issue-status/issue.repository.js';
import { StatusChangesService } from '../issue-status/status-changes.service.js';
import { type CandidateRow, PickUpsRepository } from './pick-up.repository.js';

/** An issue that was handed to a worker, with the token of its lease. */
export interface PickedUp {
  issue: IssueRow;
  token: number;
  expiresAt: Date;
}

/**
 * Hands issues out (contract §7.1). Callers lock the agent's row, so that the workers of one agent are served one by one
 * and together never get more issues than the agent may have.
 */
@Injectable()
export class PickUpsService {
  constructor(
    private readonly pickUps: PickUpsRepository,
    private readonly attempts: AttemptsRepository,
    @InjectRepository(Issue) private readonly issues: IssueRepository,
    private readonly statusChanges: StatusChangesService,
    private readonly settings: Settings,
    private readonly journal: JournalService,
  ) {}

  /**
   * Hands the agent up to `limit` issues. Those that failed too often go to PendingReview instead.
   * @param worker who gets them, where it is named
   * @param except issues that the worker must stop first
   * @param withheld returns those of some issues that must not be handed out, such as those of a used-up budget
   */
  async pickUp(
    agentId: string,
    limit: number,
    worker: string | null = null,
    except: string[] = [],
    withheld: (candidates: CandidateRow[]) => Promise<string[]> = () => Promise.resolve([]),
  ): Promise<PickedUp[]> {
    const taken: CandidateRow[] = [];
    const kept: string[] = [];
    while (taken.length < limit) {
      const found = await this.pickUps.lockCandidates(agentId, limit - taken.length, [
        ...except,
        ...kept,
        ...taken.map(({ id }) => id),
      ]);
      const back = found.length > 0 ? await withheld(found) : [];
      kept.push(...back);
      const candidates = await this.withoutRenewed(found.filter(({ id }) => !back.includes(id)));
      const exhausted = candidates.filter((candidate) => this.isExhausted(candidate));
      taken.push(...candidates.filter((candidate) => !this.isExhausted(candidate)));
      await this.handToPerson(exhausted);
      if (exhausted.length + back.length === 0) break;
    }
    return taken.length === 0 ? [] : this.give(agentId, taken, worker);
  }

  /** A lease that ran out may have been renewed before its issue was locked; such an issue stays with its worker. */
  private async withoutRenewed(candidates: CandidateRow[]): Promise<CandidateRow[]> {
    const ranOut = candidates.filter((candidate) => candidate.ranOut).map(({ id }) => id);
    if (ranOut.length === 0) return candidates;
    const ended = await this.pickUps.endRunOut(ranOut);
    return candidates.filter((candidate) => !candidate.ranOut || ended.includes(candidate.id));
  }

  private isExhausted(candidate: CandidateRow): boolean {
    return candidate.ranOut && isLastAttempt(candidate, this.settings.maxAttempts);
  }

  private async handToPerson(exhausted: CandidateRow[]): Promise<void> {
    if (exhausted.length === 0) return;
    await this.lose(exhausted);
    await this.statusChanges.apply(exhausted, 'exhaust', 'PendingReview', { cause: 'attempts_exhausted' });
  }

  private async give(agentId: string, taken: CandidateRow[], worker: string | null): Promise<PickedUp[]> {
    await this.lose(taken.filter(({ ranOut }) => ranOut));
    await this.statusChanges.apply(
      taken.filter(({ status }) => status === 'Open'),
      'pickUp',
      'InProgress',
      { cause: 'picked_up' },
    );
    const granted = await this.pickUps.grant(
      agentId,
      taken.map(({ id }) => id),
      this.settings.leaseSeconds,
      worker,
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

  /** Counts a failed attempt for each lease that ran out and is taken over, by a worker or a person. */
  private async lose(ranOut: CandidateRow[]): Promise<void> {
    if (ranOut.length === 0) return;
    await this.attempts.count(
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
