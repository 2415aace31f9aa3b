import { Injectable } from '@nestjs/common';
import { Transactions, TryAgain } from '../../platform/database/transactions.js';
import { NotFound } from '../../platform/http/problem.js';
import { GraphLock } from '../projects/graph-lock.js';
import { IssueDependenciesRepository } from './issue-dependencies.repository.js';
import { IssuesRepository, type LockedIssue } from './issues.repository.js';

/**
 * Opens a transaction on one issue with the locks it needs, in their order (spec §6): the graph's lock first
 * where the issue has edges and its end or reopening may move others, then the issue.
 */
@Injectable()
export class GraphTurn {
  constructor(
    private readonly transactions: Transactions,
    private readonly graph: GraphLock,
    private readonly edges: IssueDependenciesRepository,
    private readonly issues: IssuesRepository,
  ) {}

  /**
   * @param movesOthers whether `work` may end, reopen or delete the issue
   * @throws NotFound where the issue was deleted meanwhile
   */
  run<T>(id: string, movesOthers: boolean, work: (issue: LockedIssue) => Promise<T>): Promise<T> {
    return this.transactions.run(async () => {
      const graphTaken = movesOthers && (await this.edges.hasEdges(id));
      if (graphTaken) await this.graph.take();
      const issue = await this.issues.lock(id);
      if (!issue) throw new NotFound();
      // An edge that appeared between the look and the lock: the graph's lock must come first, so begin anew.
      if (movesOthers && !graphTaken && (await this.edges.hasEdges(id))) throw new TryAgain();
      return work(issue);
    });
  }
}
