import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../platform/auth/principal.js';
import { refuseStale } from '../../../platform/http/headers/version-condition.js';
import { IssueAccessService } from '../issue-access.service.js';
import { InvalidTransition } from '../issues.errors.js';
import { StatusChangesService } from './status-changes.service.js';

/** Pauses and resumes issues (contract §5.3). */
@Injectable()
export class PausingService {
  constructor(
    private readonly access: IssueAccessService,
    private readonly statusChanges: StatusChangesService,
  ) {}

  async pause(caller: Principal, reference: string, ifMatch: string | undefined): Promise<void> {
    const seen = await this.access.get(caller, reference, 'Editor');
    await this.statusChanges.withIssueLock(seen.id, { movesOthers: false }, async (issue) => {
      refuseStale(ifMatch, 'issue', issue.version);
      if (issue.paused) return;
      if (issue.status !== 'InProgress')
        throw new InvalidTransition(issue, 'Open', 'Only work in progress can be paused.');
      await this.statusChanges.apply([issue], 'pause', 'Open', { cause: 'paused' }, true);
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
      await this.statusChanges.apply([issue], 'resume', 'InProgress', { cause: 'resumed' }, true);
    });
  }
}
