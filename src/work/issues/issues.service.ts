import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { refuseStale } from '../../platform/http/conditions.js';
import { IssueAccessService } from '../issue-status/issue-access.service.js';
import type { WholeIssue } from '../issue-status/issue.repository.js';
import { InvalidTransition } from '../issue-status/issues.errors.js';
import { StatusChangesService } from '../issue-status/status-changes.service.js';
import { StatusPutsAndClosesService } from '../issue-status/status-puts-and-closes.service.js';

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
