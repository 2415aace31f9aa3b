import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/auth/principal.js';
import { refuseStale } from '../../platform/http/headers/version-condition.js';
import { IssueAccessService } from './issue-access.service.js';
import { StatusChangeRequestService } from './status/status-change-request.service.js';
import type { WholeIssue } from './issues.repository.js';
import { StatusChangesService } from './status/status-changes.service.js';

/** Reads and closes issues (contract §5.2, §5.3). */
@Injectable()
export class IssuesService {
  constructor(
    private readonly access: IssueAccessService,
    private readonly statusChanges: StatusChangesService,
    private readonly statusRequests: StatusChangeRequestService,
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
}
