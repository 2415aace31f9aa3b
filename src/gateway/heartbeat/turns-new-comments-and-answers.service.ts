import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { Settings } from '../../platform/config/settings.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { BudgetChecksService } from '../../work/budgets/budget-checks-stops-and-answers.service.js';
import { type CarriedAnswer, Gate, type IssueAnswer } from '../../work/gates/gate.entity.js';
import { GateRepository } from '../../work/gates/gate.repository.js';
import type { BriefField } from '../../work/issue-status/brief-changes.js';
import type { NamedLease } from '../../work/issue-status/issue-lease.repository.js';
import { Issue } from '../../work/issue-status/issue.entity.js';
import { IssueRepository } from '../../work/issue-status/issue.repository.js';
import { stopForAll, type StopReason } from '../../work/issue-status/stop-reasons.js';
import { IssueLeasesService } from '../../work/leases/lease-token-checks-renewals-heartbeat-interval.service.js';
import { UsageBatchesWorker } from '../../work/usage/usage-sums-batches-and-retention.worker.js';
import { type ReportedUsage, UsageReportsService } from '../../work/usage/usage-reports.service.js';
import type { AgentTool } from '../agent-tools/agent-tool.js';
import { AgentToolsService, versionOf } from '../agent-tools/agent-tools.service.js';
import { HeartbeatRepository } from './heartbeat.repository.js';

/** A comment that the agent has not received yet. */
export interface NewComment {
  id: string;
  issueId: string;
  content: string;
  authorType: 'User' | 'Agent' | 'System';
  authorId: string | null;
  authorName: string;
  createdAt: Date;
  updatedAt: Date;
}

/** The most comments returned per issue: the newest. */
const COMMENTS_PER_ISSUE = 500;

/** A response shows at least so much of each issue, which is one whole comment. */
const LEAST_BYTES = 65_536;

const NEWEST_FIRST = 'ORDER BY "createdAt" DESC, id DESC';

/** Keeps the newest comments of one issue whose texts fit in so many bytes, and always the newest one. */
const fitting = (comments: string, bytes: string) => `
  SELECT id, "issueId", content, "authorType", "authorId", "authorName", "createdAt", "updatedAt" FROM (
    SELECT *, sum(octet_length(content)) OVER newest AS bytes, row_number() OVER newest AS nth FROM (${comments}) AS every
    WINDOW newest AS (${NEWEST_FIRST} ROWS UNBOUNDED PRECEDING)) AS counted
  WHERE bytes <= ${bytes}::bigint OR nth = 1`;

const COLUMNS = `id, issue_id AS "issueId", content, author_type AS "authorType", author_id AS "authorId",
  author_name AS "authorName", created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Selects by snapshot, not by time: a comment that was committed after a snapshot is not in it, whatever its time. */
const newCommentsSql = (since: string, bytes: string) => `
  SELECT c.*
  FROM issue_leases l CROSS JOIN LATERAL (${fitting(
    `SELECT ${COLUMNS} FROM comments
     WHERE issue_id = l.issue_id AND author_id IS DISTINCT FROM $1
       AND (${since} IS NULL OR NOT pg_visible_in_snapshot(transaction_id, ${since}))
     ORDER BY created_at DESC, id DESC LIMIT ${COMMENTS_PER_ISSUE}`,
    bytes,
  )}) AS c
  WHERE l.issue_id = ANY($2::uuid[]) AND l.agent_id = $1 ORDER BY c."createdAt", c.id`;

/** The comments that an agent has not received yet (contract §7.3). */
@Injectable()
export class NewCommentsRepository {
  constructor(
    @InjectDataSource() private readonly source: DataSource,
    private readonly settings: Settings,
  ) {}

  /** Returns the comments of others on these issues since the agent's last turn. */
  find(agentId: string, issueIds: string[]): Promise<NewComment[]> {
    return this.source.query<NewComment[]>(newCommentsSql('l.told_of', '$3'), [
      agentId,
      issueIds,
      this.bytesEach(issueIds),
    ]);
  }

  /** Returns the last `most` comments on each of these issues by any author, oldest first. */
  last(issueIds: string[], most: number): Promise<NewComment[]> {
    const comments = `SELECT ${COLUMNS} FROM comments WHERE issue_id = asked.id ORDER BY created_at DESC, id DESC LIMIT $2`;
    return this.source.query<NewComment[]>(
      `SELECT c.* FROM unnest($1::uuid[]) AS asked(id) CROSS JOIN LATERAL (${fitting(comments, '$3')}) AS c
       ORDER BY c."createdAt", c.id`,
      [issueIds, most, this.bytesEach(issueIds)],
    );
  }

  /** Begins a turn: returns new comments and marks them as received, in one statement, so that none is lost in between. */
  beginTurn(agentId: string, issueId: string, isReported: boolean): Promise<NewComment[]> {
    return this.source.query<NewComment[]>(
      `WITH received AS (
         UPDATE issue_leases
         SET told_of = pg_current_snapshot(), turns = turns + 1,
             reported_turn = CASE WHEN $3 THEN turns + 1 ELSE reported_turn END
         WHERE issue_id = ANY($2::uuid[]) AND agent_id = $1)
       ${newCommentsSql('l.told_of', '$4')}`,
      [agentId, [issueId], isReported, this.bytesEach([issueId])],
    );
  }

  /** All issues of a response share the bytes of a page. */
  private bytesEach(issueIds: string[]): number {
    return Math.max(
      LEAST_BYTES,
      Math.floor(this.settings.limits.pageMaxBytes / Math.max(1, issueIds.length)),
    );
  }
}

/**
 * Carries the answers of people to workers (contract §7.1). An answer is repeated until a request has named the token of
 * its lease: then the worker has the response that handed the issue out, and this one.
 */
@Injectable()
export class CarriedAnswersService {
  constructor(@InjectRepository(Gate) private readonly answers: GateRepository) {}

  /**
   * @param pickedUp the issues that this response hands out
   * @param named the tokens that the request names, as `issueId token`; null where it names none
   */
  async take(
    pickedUp: string[],
    renewed: readonly NamedLease[],
    named: ReadonlySet<string> | null,
  ): Promise<IssueAnswer[]> {
    const answers = await this.answers.undelivered([...renewed.map(({ issueId }) => issueId), ...pickedUp]);
    const known = renewed.filter(({ issueId, token }) => named?.has(`${issueId} ${token}`));
    const carried = answers.filter((answer) => known.some(({ issueId }) => issueId === answer.issueId));
    await this.answers.markDelivered(carried.map(({ gateId }) => gateId));
    return answers;
  }

  /** For a turn without an issue, which carries answers on gates without one, each once. */
  async takeAlone(agentId: string): Promise<CarriedAnswer[]> {
    const answers = await this.answers.undeliveredOf(agentId);
    await this.answers.markDelivered(answers.map(({ gateId }) => gateId));
    return answers;
  }

  /** For a turn on an issue. Only one that carries the token of the lease surely comes from a worker that has it. */
  async takeOnTurn(issueId: string, token: number | null): Promise<IssueAnswer[]> {
    const named = token === null ? null : new Set([`${issueId} ${token}`]);
    return this.take([], [{ issueId, token: token ?? 0 }], named);
  }
}

/** A turn as a worker asks for it. */
export interface TurnCall {
  /** Id or key; null for a turn without an issue. */
  issueId: string | null;
  token: number | null;
  /** The version of the tools that the worker has. */
  toolsVersion: string | null;
  /** What was spent since the last report. */
  usage: ReportedUsage[];
}

/** Whether a worker may go on, with new comments and its tools. */
export interface Turn {
  proceed: boolean;
  reason: StopReason | null;
  newComments: NewComment[];
  /** What changed in the brief since the agent's last turn. */
  changed: BriefField[];
  /** What people answered, where the agent may not have it yet. */
  answers: CarriedAnswer[];
  /** The digest of the agent's tools, which a later turn may send. */
  toolsVersion: string;
  /** null: they are those that the request named by their version. */
  tools: AgentTool[] | null;
}

/** Handles the turn boundary of an agent (contract §7), where a pause, a revoked grant and new comments take effect. */
@Injectable()
export class TurnsService {
  constructor(
    private readonly heartbeats: HeartbeatRepository,
    private readonly comments: NewCommentsRepository,
    private readonly leases: IssueLeasesService,
    private readonly answers: CarriedAnswersService,
    @InjectRepository(Issue) private readonly issues: IssueRepository,
    private readonly agentTools: AgentToolsService,
    private readonly reports: UsageReportsService,
    private readonly batches: UsageBatchesWorker,
    private readonly budgets: BudgetChecksService,
    private readonly transactions: TransactionsService,
  ) {}

  take(caller: AgentPrincipal, call: TurnCall): Promise<Turn> {
    return this.reports.countBefore(caller, call, () => this.takeCounted(caller, call));
  }

  private async takeCounted(caller: AgentPrincipal, call: TurnCall): Promise<Turn> {
    const halt = stopForAll(await this.heartbeats.readAgent(caller.id));
    const nothing = { reason: halt, newComments: [], changed: [], answers: [] };
    const turn = halt
      ? nothing
      : call.issueId === null
        ? { ...nothing, answers: await this.answers.takeAlone(caller.id) }
        : await this.onIssue(caller, call.issueId, call);
    const tools = await this.agentTools.list(caller);
    const toolsVersion = versionOf(tools);
    return {
      proceed: turn.reason === null,
      ...turn,
      toolsVersion,
      tools: toolsVersion === call.toolsVersion ? null : tools,
    };
  }

  private async onIssue(
    caller: AgentPrincipal,
    reference: string,
    { token, usage }: TurnCall,
  ): Promise<Pick<Turn, 'reason' | 'newComments' | 'changed' | 'answers'>> {
    const issue = await this.issues.findSeen(caller, reference);
    if (!issue) return { reason: 'deleted', newComments: [], changed: [], answers: [] };
    return this.transactions.run(async () => {
      const reason = await this.reasonToStop(caller, issue.id, token);
      if (reason) return { reason, newComments: [], changed: [], answers: [] };
      const isReported = usage.length > 0;
      const spent = { turns: 1, reportedTurns: isReported ? 1 : 0 };
      const budget = await this.budgets.spend({ agentId: caller.id, issue }, 'turn', spent);
      if (budget === 'refused')
        return { reason: 'budget' as const, newComments: [], changed: [], answers: [] };
      const { changed } = await this.leases.takeChanges(caller.id, issue.id);
      const newComments = await this.comments.beginTurn(caller.id, issue.id, isReported);
      const counted = { agentId: caller.id, issueId: issue.id, ...spent };
      if (budget === 'none') this.transactions.afterCommit(() => this.batches.add(counted));
      const answers = await this.answers.takeOnTurn(issue.id, token);
      return { reason, changed, newComments, answers };
    });
  }

  /** A turn needs no token (contract §7: only a PUT does). A token that it carries must be valid, and renews the lease. */
  private async reasonToStop(
    caller: AgentPrincipal,
    issueId: string,
    token: number | null,
  ): Promise<StopReason | null> {
    const renewed = token === null ? [] : await this.leases.renew(caller.id, [{ issueId, token }]);
    if (renewed.length > 0) return null;
    const held = [{ issueId, token: token ?? 0 }];
    const reasons = await this.leases.stopReasons(caller.id, held, token !== null);
    const reason = reasons.get(issueId) ?? 'deleted';
    return token === null && reason === 'lease_lost' ? null : reason;
  }
}
