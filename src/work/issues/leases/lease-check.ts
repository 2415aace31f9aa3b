import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { LeaseLost } from '../issues.errors.js';
import type { LockedIssue } from '../issues.repository.js';
import { LeasesRepository } from './leases.repository.js';

/** Keeps a worker that was overtaken from writing (spec §7): the fencing token. */
@Injectable()
export class LeaseCheck {
  constructor(
    private readonly leases: LeasesRepository,
    private readonly settings: Settings,
  ) {}

  /**
   * For an agent's change of an issue that it holds locked. While a lease lives the change must carry its
   * token; a late token that nobody has taken over is still good, and renews.
   * @throws LeaseLost
   */
  async require(agentId: string, issue: LockedIssue, token: number | null): Promise<void> {
    const lease = await this.leases.find(issue.id);
    if (token === null) {
      if (lease?.live) throw new LeaseLost();
      return;
    }
    if (!lease || lease.ended || lease.agentId !== agentId || lease.token !== token) throw new LeaseLost();
    await this.leases.renew(agentId, [{ issueId: issue.id, token }], this.settings.leaseSeconds);
  }
}
