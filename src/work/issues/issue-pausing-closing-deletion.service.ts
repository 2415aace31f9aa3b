import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { refuseStale } from '../../platform/http/if-match-and-lease-token.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { IssueAccessService } from '../issue-status/issue-access.service.js';
import { IssueRepository, type WholeIssue } from '../issue-status/issue.repository.js';
import { StatusChangesService } from '../issue-status/status-changes.service.js';
import { StatusPutsAndClosesService } from '../issue-status/status-puts-and-closes.service.js';
import { IssueDependenciesRepository } from '../issue-status/issue-dependencies.repository.js';
import type { LockedIssue } from '../issue-status/issue-row-and-references.js';
import { Issue } from '../issue-status/issue.entity.js';
import { IssueLinkRepository, type LinkEnd } from '../links/issue-link.repository.js';
import { ConfirmationRequired } from '../projects/projects.service.js';
import { IssueParentsService } from './issue-parents.service.js';
import { InvalidTransition } from '../issue-status/issue-status.js';

/** Reads, pauses, resumes and closes issues (contract §5.2, §5.3). */
@Injectable()
export class IssuesService {
  constructor(
    private readonly access: IssueAccessService,
    private readonly statusChanges: StatusChangesService,
    private readonly statusRequests: StatusPutsAndClosesService,
  ) {}

  get(caller: Principal, reference: string): Promise<WholeIssue> {
    return this.access.read(caller, reference);
  }

  async close(
    caller: Principal,
    reference: string,
    force: boolean,
    ifMatch: string | undefined,
  ): Promise<void> {
    const seen = await this.access.get(caller, reference, 'Editor');
    await this.statusChanges.withIssueLock(seen.id, { movesOthers: true }, async (issue) => {
      refuseStale(ifMatch, 'issue', issue.version);
      await this.statusRequests.close(issue, force);
    });
  }

  async pause(caller: Principal, reference: string, ifMatch: string | undefined): Promise<void> {
    const seen = await this.access.get(caller, reference, 'Editor');
    await this.statusChanges.withIssueLock(seen.id, { movesOthers: false }, async (issue) => {
      refuseStale(ifMatch, 'issue', issue.version);
      if (issue.paused) return;
      if (issue.status !== 'InProgress')
        throw new InvalidTransition(issue, 'Open', 'Only work in progress can be paused.');
      await this.statusChanges.apply([issue], 'pause', 'Open', { cause: 'paused' }, 'user');
    });
  }

  async resume(caller: Principal, reference: string, ifMatch: string | undefined): Promise<void> {
    const seen = await this.access.get(caller, reference, 'Editor');
    await this.statusChanges.withIssueLock(seen.id, { movesOthers: false }, async (issue) => {
      refuseStale(ifMatch, 'issue', issue.version);
      if (!issue.paused)
        throw new InvalidTransition(
          issue,
          'InProgress',
          'The issue is not paused, so there is nothing to resume.',
        );
      if (issue.status === 'WaitingOnDependency')
        throw new InvalidTransition(
          issue,
          'InProgress',
          'The issue waits for others; it can be resumed once they are finished.',
        );
      await this.statusChanges.apply([issue], 'resume', 'InProgress', { cause: 'resumed' }, 'user');
    });
  }
}

/** Deletes issues for good, with comments, links and attachments, and unblocks their dependents (contract §5.3). */
@Injectable()
export class IssueDeletionService {
  private readonly listeners: (() => Promise<unknown>)[] = [];

  constructor(
    private readonly access: IssueAccessService,
    @InjectRepository(Issue) private readonly issues: IssueRepository,
    private readonly dependencies: IssueDependenciesRepository,
    private readonly links: IssueLinkRepository,
    private readonly parents: IssueParentsService,
    private readonly statusChanges: StatusChangesService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /** Calls `listener` after the commit of each deletion, to remove what an issue has outside the database. */
  whenDeleted(listener: () => Promise<unknown>): void {
    this.listeners.push(listener);
  }

  async delete(
    caller: Principal,
    reference: string,
    confirmed: boolean,
    ifMatch: string | undefined,
  ): Promise<void> {
    const seen = await this.access.get(caller, reference, 'Editor');
    if (!confirmed) throw new ConfirmationRequired('issue');
    await this.statusChanges.withIssueLock(seen.id, { movesOthers: true }, async (issue) => {
      refuseStale(ifMatch, 'issue', issue.version);
      const dependents = await this.dependencies.dependentsOf(issue.id);
      const ends = await this.links.listFromOtherEnds(issue.id);
      await this.statusChanges.withdrawGates([issue]);
      await this.parents.leave(issue);
      await this.issues.deleteWithLease(issue.id);
      await this.record(issue, ends);
      await this.statusChanges.unblock(dependents, { cause: 'blocker_deleted', blockerId: issue.id });
      for (const listener of this.listeners)
        this.transactions.afterCommit(async () => void (await listener()));
    });
  }

  /** The links go with the issue. Their other ends record that too. */
  private async record({ id, projectId, key, title }: LockedIssue, ends: LinkEnd[]): Promise<void> {
    await this.journal.record(
      { type: 'issue.deleted', subject: { type: 'issue', id }, projectId, issueId: id, data: { key, title } },
      ...ends.map((end) => ({
        type: 'link.deleted' as const,
        subject: { type: 'link', id: end.id },
        projectId: end.projectId,
        issueId: end.issueId,
        data: { linkType: end.linkType, targetIssueId: id },
      })),
    );
  }
}
