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

/** Deletes issues for good, with comments, links and attachments; what they blocked is set free (spec §5.3). */
@Injectable()
export class IssueDeletion {
  private readonly listeners: (() => Promise<unknown>)[] = [];

  constructor(
    private readonly access: IssueAccess,
    private readonly issues: IssuesRepository,
    private readonly edges: IssueDependenciesRepository,
    private readonly dependencies: IssueDependencies,
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
      await this.issues.delete(issue.id);
      await this.tell(issue, seen);
      await this.dependencies.settle(dependents, { cause: 'blocker_deleted', blockerId: issue.id });
      for (const listener of this.listeners)
        this.transactions.afterCommit(async () => void (await listener()));
    });
  }

  private async tell({ id, projectId }: LockedIssue, { key, title }: SeenIssue): Promise<void> {
    const data = { key, title };
    await this.journal.record({
      type: 'issue.deleted',
      subject: { type: 'issue', id },
      projectId,
      issueId: id,
      data,
    });
  }
}
