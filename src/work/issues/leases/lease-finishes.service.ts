import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import type { LockedIssue } from '../issue-row.js';
import { LeaseLost, NotYours } from '../issues.errors.js';
import { StatusChangeRequestService } from '../status/status-change-request.service.js';
import { StatusChangesService } from '../status/status-changes.service.js';
import { AttemptsRepository } from './attempts.repository.js';
import { isHandIn, statusOfHandIn } from './hand-in.js';
import { LeaseFinishesRepository, type Outcome } from './lease-finishes.repository.js';
import { LeasesRepository, type LeaseRow } from './leases.repository.js';
import { reasonOfLoss } from './reason-of-loss.js';

/** What ends a lease. */
export interface FinishCall {
  token: number;
  outcome: Outcome;
  reason: string | null;
  /** How long the agent does not want a released issue again. */
  retryAfterSeconds?: number;
  /** All that the request says, in canonical JSON: it distinguishes a repetition from another request. */
  request: string;
}

/**
 * Ends a lease on behalf of its holder, once per token (contract §7.2): the response is stored with the change, and the
 * same request again returns it.
 */
@Injectable()
export class LeaseFinishesService {
  constructor(
    private readonly finishes: LeaseFinishesRepository,
    private readonly leases: LeasesRepository,
    private readonly statusChanges: StatusChangesService,
    private readonly statusRequests: StatusChangeRequestService,
    private readonly attempts: AttemptsRepository,
  ) {}

  /**
   * @param before what else belongs to the finish; it runs in the same transaction, before the status changes
   * @param respond makes the response from the issue as it is afterwards
   * @throws {LeaseLost | NotYours} when the caller does not hold the lease of this token
   */
  finish<Response>(
    caller: AgentPrincipal,
    issueId: string,
    call: FinishCall,
    work: { before: () => Promise<void>; respond: () => Promise<Response> },
  ): Promise<Response> {
    return this.statusChanges.withIssueLock(issueId, { movesOthers: true }, async (issue) => {
      const earlier = await this.finishes.find(issue.id, call.token, caller.id);
      if (earlier?.request === call.request) return earlier.response as Response;
      if (earlier) throw await this.lost(caller, issue, call);
      const lease = await this.requireHolder(caller, issue, call);
      await work.before();
      await this.change(caller, issue, lease, call);
      const response = await work.respond();
      await this.finishes.insert({ ...call, issueId: issue.id, agentId: caller.id, response });
      return response;
    });
  }

  /**
   * An issue whose lease ended with a pause or a blocker takes PendingReview from its last holder: work that is finished
   * is not thrown away.
   */
  private async requireHolder(
    caller: AgentPrincipal,
    issue: LockedIssue,
    call: FinishCall,
  ): Promise<LeaseRow> {
    const lease = await this.leases.lock(issue.id);
    const isNewest = lease?.agentId === caller.id && lease.token === call.token;
    if (issue.assignedAgentId !== caller.id) throw isNewest ? new LeaseLost('reassigned') : new NotYours();
    if (isNewest && (!lease.ended || isHandIn(issue, lease, call.outcome))) return lease;
    throw await this.lost(caller, issue, call);
  }

  private async lost(caller: AgentPrincipal, issue: LockedIssue, { token }: FinishCall): Promise<LeaseLost> {
    return new LeaseLost(await reasonOfLoss(this.leases, caller.id, { issueId: issue.id, token }));
  }

  private async change(
    caller: AgentPrincipal,
    issue: LockedIssue,
    lease: LeaseRow,
    call: FinishCall,
  ): Promise<void> {
    const why = call.reason === null ? {} : { reason: call.reason };
    if (call.outcome === 'released') {
      await this.attempts.release(issue.id, caller.id, call.retryAfterSeconds ?? 0, call.reason);
      await this.statusChanges.apply([issue], 'put', 'Open', { cause: 'released', ...why });
    } else if (isHandIn(issue, lease, call.outcome)) {
      const to = statusOfHandIn(issue);
      await this.statusChanges.apply([issue], 'handIn', to, { cause: 'handed_in', ...why });
    } else await this.statusRequests.put(caller, issue, call.outcome, why);
  }
}
