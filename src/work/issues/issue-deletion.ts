import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/auth/principal.js';
import { Transactions } from '../../platform/database/transactions.js';
import { Journal } from '../../platform/journal/journal.js';
import { ConfirmationRequired } from '../projects/projects.errors.js';
import { GraphTurn } from './graph-turn.js';
import { IssueAccess, refuseStale } from './issue-access.js';
import { IssueDependenciesRepository } from './issue-dependencies.repository.js';
import { IssueDependencies } from './issue-dependencies.js';
import { IssuesRepository, type LockedIssue, type SeenIssue } from './issues.repository.js';
import { LinksRepository, type LinkEnd } from './links.repository.js';

/** Deletes issues for good, with comments, links and attachments; what they blocked is set free (spec §5.3). */
@Injectable()
export class IssueDeletion {
  private readonly listeners: (() => Promise<unknown>)[] = [];

  constructor(
    private readonly access: IssueAccess,
    private readonly issues: IssuesRepository,
    private readonly edges: IssueDependenciesRepository,
    private readonly dependencies: IssueDependencies,
    private readonly links: LinksRepository,
    private readonly turn: GraphTurn,
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  /** For what an issue has outside the database: `listener` is called after the commit of each deletion. */
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
    await this.turn.run(seen.id, true, async (issue) => {
      refuseStale(ifMatch, issue.version);
      const dependents = await this.edges.dependentsOf(issue.id);
      const ends = await this.links.toldFromOthers(issue.id);
      await this.issues.delete(issue.id);
      await this.tell(issue, seen, ends);
      await this.dependencies.settle(dependents, { cause: 'blocker_deleted', blockerId: issue.id });
      for (const listener of this.listeners)
        this.transactions.afterCommit(async () => void (await listener()));
    });
  }

  /** The links go with the issue, which the issues at their other ends tell. */
  private async tell(
    { id, projectId }: LockedIssue,
    { key, title }: SeenIssue,
    ends: LinkEnd[],
  ): Promise<void> {
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
