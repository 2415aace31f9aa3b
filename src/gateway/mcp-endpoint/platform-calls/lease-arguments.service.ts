import { Injectable } from '@nestjs/common';
import { Problem } from '../../../platform/http/problem/problem.js';
import { IssueAccessService } from '../../../work/issues/issue-access.service.js';
import { readsOthers, takesIssue, takesToken } from '../../agent-tools/lease-tools.js';
import type { PlatformToolName } from '../../agent-tools/platform-tools.js';
import type { LeasePrincipal } from '../leases/lease-calls.worker.js';

type Given = Record<string, unknown>;

/** Adds to the arguments of a platform tool what the key of a lease stands for: the issue and the token. */
@Injectable()
export class LeaseArgumentsService {
  constructor(private readonly access: IssueAccessService) {}

  /** @throws {Problem} for another issue than that of the lease */
  async bind(agent: LeasePrincipal, tool: PlatformToolName, given: object): Promise<Given> {
    const { issueId, token } = agent.lease;
    const { issueId: named, ...rest } = given as Given;
    if ((named ?? issueId) !== issueId && takesIssue(tool) && !readsOthers(tool))
      await this.refuseOther(agent, named);
    return {
      ...rest,
      ...(takesIssue(tool) && { issueId: readsOthers(tool) ? (named ?? issueId) : issueId }),
      ...(takesToken(tool) && { leaseToken: token }),
    };
  }

  private async refuseOther(agent: LeasePrincipal, named: unknown): Promise<void> {
    const issue = await this.access.read(agent, agent.lease.issueId);
    if (named === issue.key) return;
    throw new Problem(
      'forbidden',
      `This key belongs to your work on ${issue.key}: leave issueId out. Report on other issues in a comment.`,
    );
  }
}
