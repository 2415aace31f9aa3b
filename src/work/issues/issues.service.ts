import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/auth/principal.js';
import { GraphTurn } from './graph-turn.js';
import { IssueAccess, refuseStale } from './issue-access.js';
import { IssueStatusWish } from './issue-status-wish.js';
import { InvalidTransition } from './issues.errors.js';
import type { WholeIssue } from './issues.repository.js';
import { StatusChanges } from './status-changes.js';

/** The actions on an issue beside creating, updating and deleting it (spec §5.2, §5.3). */
@Injectable()
export class IssuesService {
  constructor(
    private readonly access: IssueAccess,
    private readonly wish: IssueStatusWish,
    private readonly statusChanges: StatusChanges,
    private readonly turn: GraphTurn,
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
    await this.turn.run(seen.id, true, async (issue) => {
      refuseStale(ifMatch, issue.version);
      await this.wish.close(issue, force);
    });
  }

  /** The agent stops at its next turn; nobody picks the issue up until it is resumed. */
  async pause(caller: Principal, reference: string, ifMatch: string | undefined): Promise<void> {
    const seen = await this.access.get(caller, reference, 'Editor');
    await this.turn.run(seen.id, false, async (issue) => {
      refuseStale(ifMatch, issue.version);
      if (issue.paused) return;
      if (issue.status !== 'InProgress')
        throw new InvalidTransition(issue, 'Open', 'Only work in progress can be paused.');
      await this.statusChanges.apply([issue], 'pause', 'Open', { cause: 'paused' }, true);
    });
  }

  async resume(caller: Principal, reference: string, ifMatch: string | undefined): Promise<void> {
    const seen = await this.access.get(caller, reference, 'Editor');
    await this.turn.run(seen.id, false, async (issue) => {
      refuseStale(ifMatch, issue.version);
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
      await this.statusChanges.apply([issue], 'resume', 'InProgress', { cause: 'resumed' }, true);
    });
  }
}
