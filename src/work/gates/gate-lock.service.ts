import { Injectable } from '@nestjs/common';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import type { LockedIssue } from '../issue-status/issue-row.js';
import { StatusChangesService } from '../issue-status/status-changes.service.js';

/** Runs changes of gates in a transaction that holds what they may move. */
@Injectable()
export class GateLockService {
  constructor(
    private readonly transactions: TransactionsService,
    private readonly statusChanges: StatusChangesService,
  ) {}

  /**
   * Holds the issue of a gate, where it has one. Its dependents stay as they are, since a gate moves an issue only between
   * unresolved statuses, so the graph lock is not needed.
   * @throws {NotFound} when the issue has been deleted
   */
  run<T>(issueId: string | null, work: (issue: LockedIssue | null) => Promise<T>): Promise<T> {
    if (issueId === null) return this.transactions.run(() => work(null));
    return this.statusChanges.withIssueLock(issueId, { movesOthers: false }, work);
  }
}
