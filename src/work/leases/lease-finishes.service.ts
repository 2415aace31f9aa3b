import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../platform/authentication/principal.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { AttemptsRepository } from '../issue-status/issue-attempts.repository.js';
import { type LeaseRow, LeasesRepository } from '../issue-status/issue-lease.repository.js';
import type { LockedIssue } from '../issue-status/issue-row.js';
import type { Status } from '../issue-status/issue-status.js';
import { LeaseLost, NotYours } from '../issue-status/issues.errors.js';
import { StatusChangesService } from '../issue-status/status-changes.service.js';
import { StatusChangeRequestService } from '../issue-status/status-requests.service.js';
import { reasonOfLoss } from '../issue-status/stop-reasons.js';
import { isHandIn, statusOfHandIn } from './lease-check.service.js';

/** How an agent ended its lease: with a status that it asked for, or by releasing the issue. */
export type Outcome = Status | 'released';

/** The end of a lease. `request` and `response` are null where a PUT ended it. */
export interface LeaseFinish {
  issueId: string;
  token: number;
  agentId: string;
  outcome: Outcome;
  /** The request in canonical JSON. */
  request: string | null;
  response: unknown;
}

/** The ends of leases, one row per lease that its own agent ended. */
@Injectable()
export class LeaseFinishesRepository {
  constructor(private readonly database: DatabaseService) {}

  find(issueId: string, token: number, agentId: string): Promise<LeaseFinish | null> {
    return this.database.row<LeaseFinish>(
      `SELECT issue_id AS "issueId", token::int AS token, agent_id AS "agentId", outcome, request, response
       FROM lease_finishes WHERE issue_id = $1 AND token = $2 AND agent_id = $3`,
      [issueId, token, agentId],
    );
  }

  /** Records the end of a lease. Its worker knows of it and gets no stop for it. */
  async insert({ issueId, token, agentId, outcome, request, response }: LeaseFinish): Promise<void> {
    await this.database.change(
      `WITH reported AS (
         UPDATE issue_leases SET worker = NULL WHERE issue_id = $1 AND token = $2 AND worker IS NOT NULL)
       INSERT INTO lease_finishes (issue_id, token, agent_id, outcome, request, response)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (issue_id, token) DO NOTHING`,
      [issueId, token, agentId, outcome, request, response === null ? null : JSON.stringify(response)],
    );
  }
}

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
