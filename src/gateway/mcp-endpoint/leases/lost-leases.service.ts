import { Injectable } from '@nestjs/common';
import { Unauthenticated } from '../../../platform/auth/auth.errors.js';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { LeaseLost } from '../../../work/issues/issues.errors.js';
import { IssueLeasesService } from '../../../work/issues/leases/issue-leases.service.js';
import { problemResult, type ToolResult } from '../calls/tool-result.js';
import type { LeasePrincipal } from './lease-calls.worker.js';
import { LeaseStandingsRepository, type LeaseStanding } from './lease-standings.repository.js';

/** Responses to requests with the key of a lease that has ended. */
@Injectable()
export class LostLeasesService {
  constructor(
    private readonly standings: LeaseStandingsRepository,
    private readonly leases: IssueLeasesService,
  ) {}

  /** Returns the result of a call that its lease does not allow any more, with the reason. */
  async result(agent: LeasePrincipal): Promise<ToolResult> {
    const { good, suspended } = await this.standingOf(agent);
    const { issueId } = agent.lease;
    const reasons = good ? null : await this.leases.stopReasons(agent.id, [agent.lease]);
    const reason = reasons ? (reasons.get(issueId) ?? 'deleted') : (suspended ?? 'lease_lost');
    return problemResult(new LeaseLost(reason));
  }

  /**
   * Checks the lease of a lease key, for a request other than a tool call. Any other key passes.
   * @throws {Unauthenticated}
   */
  async refuse(agent: AgentPrincipal): Promise<void> {
    if (!isLeaseHolder(agent) || (await this.standingOf(agent)).good) return;
    throw new Unauthenticated('The lease of this key has ended. A new lease brings a new key.');
  }

  private async standingOf({ id, lease }: LeasePrincipal): Promise<LeaseStanding> {
    const [standing] = await this.standings.read([{ agentId: id, ...lease }]);
    return standing!;
  }
}

/** Returns whether the caller sent the key of a lease. */
export function isLeaseHolder(agent: AgentPrincipal): agent is LeasePrincipal {
  return agent.lease !== null;
}
