import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { GivenBackIssuesRepository } from '../issue-status/given-back-issues-and-attempts.repository.js';
import type { LeaseRow } from '../issue-status/issue-lease.repository.js';
import type { LockedIssue } from '../issue-status/issue-row-and-references.js';
import { StatusChangesService } from '../issue-status/status-changes.service.js';
import { StatusPutsAndClosesService } from '../issue-status/status-puts-and-closes.service.js';
import {
  isHandIn,
  LeaseCheckService,
  type Outcome,
  statusOfHandIn,
} from './lease-token-checks-renewals-heartbeat-interval.service.js';
import { LeaseFinish } from '../issue-status/issue-lease.entities.js';

/** The end of a lease. `request`, in canonical JSON, and `response` are null where a PUT ended it. */
type StoredFinish = Omit<LeaseFinish, 'at'>;

/** The ends of leases, one row per lease that its own agent ended. */
@Injectable()
export class LeaseFinishRepository extends Repository<LeaseFinish> {
  constructor(@InjectDataSource() source: DataSource) {
    super(LeaseFinish, source.manager);
  }

  /** SQL: two tables in one statement. Records the end of a lease. Its worker knows of it and gets no stop for it. */
  async add({ issueId, token, agentId, outcome, request, response }: StoredFinish): Promise<void> {
    await this.query(
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
    @InjectRepository(LeaseFinish) private readonly finishes: LeaseFinishRepository,
    private readonly check: LeaseCheckService,
    private readonly statusChanges: StatusChangesService,
    private readonly statusRequests: StatusPutsAndClosesService,
    private readonly givenBack: GivenBackIssuesRepository,
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
      const earlier = await this.finishes.findOneBy({
        issueId: issue.id,
        token: call.token,
        agentId: caller.id,
      });
      if (earlier?.request === call.request) return earlier.response as Response;
      if (earlier) throw await this.check.lost(caller.id, issue, call.token);
      const lease = await this.check.requireHolder(caller.id, issue, call.token, call.outcome);
      await work.before();
      await this.change(caller, issue, lease, call);
      const response = await work.respond();
      await this.finishes.add({ ...call, issueId: issue.id, agentId: caller.id, response });
      return response;
    });
  }

  private async change(
    caller: AgentPrincipal,
    issue: LockedIssue,
    lease: LeaseRow,
    call: FinishCall,
  ): Promise<void> {
    const why = call.reason === null ? {} : { reason: call.reason };
    if (call.outcome === 'released') {
      await this.givenBack.release(issue.id, caller.id, call.retryAfterSeconds ?? 0, call.reason);
      await this.statusChanges.apply([issue], 'put', 'Open', { cause: 'released', ...why });
    } else if (isHandIn(issue, lease, call.outcome)) {
      const to = statusOfHandIn(issue);
      await this.statusChanges.apply([issue], 'handIn', to, { cause: 'handed_in', ...why });
    } else await this.statusRequests.put(caller, issue, call.outcome, why);
  }
}
