import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { BudgetChecksService } from '../../work/budgets/budget-checks-stops-and-answers.service.js';
import type { CarriedAnswer } from '../../work/gates/gate.entity.js';
import type { BriefField } from '../../work/issue-status/brief-changes.js';
import { Issue } from '../../work/issue-status/issue.entity.js';
import { IssueRepository } from '../../work/issue-status/issue.repository.js';
import { stopForAll, type StopReason } from '../../work/issue-status/stop-reasons.js';
import { IssueLeasesService } from '../../work/leases/lease-checks-and-renewals.service.js';
import { UsageBatchesWorker } from '../../work/usage/usage-batches-and-retention.worker.js';
import { type ReportedUsage, UsageReportsService } from '../../work/usage/usage-reports.service.js';
import type { AgentTool } from '../agent-tools/agent-tool.js';
import { AgentToolsService, versionOf } from '../agent-tools/agent-tools.service.js';
import { CarriedAnswersService } from './carried-answers.service.js';
import { HeartbeatRepository } from './heartbeat.repository.js';
import { type NewComment, NewCommentsRepository } from './new-comments.repository.js';

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

  async take(caller: AgentPrincipal, call: TurnCall): Promise<Turn> {
    await this.reports.record(caller, call.usage, call.issueId);
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
