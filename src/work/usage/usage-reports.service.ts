import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import type { Counter } from 'prom-client';
import { DataSource, Repository } from 'typeorm';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { MetricsService } from '../../platform/health/metrics.service.js';
import { LeaseUsageRepository } from '../issue-status/lease-conditions-lengths-and-usage.repository.js';
import { IssueLeasesService } from '../leases/lease-token-checks-renewals-heartbeat-interval.service.js';
import { QuotasService } from '../quotas/quotas.service.js';
import { type ReportedFigures, UsageTotalRepository } from './usage-sums-batches-and-retention.worker.js';
import { UsageReport, UsageTotal } from './usage.entities.js';

/** A report of an agent with the objects that it counts for. */
export interface PlacedReport extends ReportedFigures {
  reportId: string;
  projectId: string | null;
  issueId: string | null;
  model: string | null;
}

/** Beside what TypeORM gives, the statements about reports that stay SQL (decision 0053). */
@Injectable()
export class UsageReportRepository extends Repository<UsageReport> {
  constructor(@InjectDataSource() source: DataSource) {
    super(UsageReport, source.manager);
  }

  /**
   * SQL: many rows, some of which are known. Stores the reports that the agent has not sent before. A repetition that runs
   * at the same time waits for the first. An id is compared with those of all months.
   * @returns the ids of those that are new
   */
  async add(agentId: string, reports: PlacedReport[]): Promise<Set<string>> {
    const rows = await this.query<{ id: string }[]>(
      `INSERT INTO usage_reports (agent_id, report_id, project_id, issue_id, model, input_tokens, output_tokens,
         cache_read_tokens, cache_write_tokens, cost_micros)
       SELECT $1, "reportId", "projectId", "issueId", model, "inputTokens", "outputTokens", "cacheReadTokens",
         "cacheWriteTokens", "costMicros"
       FROM json_to_recordset($2::json) AS report ("reportId" uuid, "projectId" uuid, "issueId" uuid, model text,
         "inputTokens" bigint, "outputTokens" bigint, "cacheReadTokens" bigint, "cacheWriteTokens" bigint, "costMicros" bigint)
       WHERE NOT EXISTS (SELECT 1 FROM usage_reports known WHERE known.agent_id = $1 AND known.report_id = "reportId")
       ORDER BY "reportId" ON CONFLICT (agent_id, report_id, month) DO NOTHING RETURNING report_id AS id`,
      [agentId, JSON.stringify(reports)],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** SQL: rows of other modules. Returns those of these issues that are the agent's: assigned to it, or last handed to it. */
  ownIssues(agentId: string, issueIds: string[]): Promise<{ id: string; projectId: string }[]> {
    return this.query(
      `SELECT i.id, i.project_id AS "projectId" FROM issues i LEFT JOIN issue_leases l ON l.issue_id = i.id
       WHERE i.id = ANY($2::uuid[]) AND (i.assigned_agent_id = $1 OR l.agent_id = $1)`,
      [agentId, issueIds],
    );
  }
}

/** An increment of usage as an agent reports it. Figures that are absent are 0. */
export interface ReportedUsage extends Partial<ReportedFigures> {
  reportId: string;
  /** Id or key of the issue that it was spent on. */
  issueId?: string | null;
  model?: string | null;
}

/** Takes the reports of agents (contract §7.8). A report counts once, however often and in whatever process it arrives. */
@Injectable()
export class UsageReportsService {
  private readonly tokens: Counter<'kind'>;
  private readonly cost: Counter;

  constructor(
    @InjectRepository(UsageReport) private readonly reports: UsageReportRepository,
    @InjectRepository(UsageTotal) private readonly sums: UsageTotalRepository,
    private readonly leases: IssueLeasesService,
    private readonly turns: LeaseUsageRepository,
    private readonly quotas: QuotasService,
    private readonly transactions: TransactionsService,
    metrics: MetricsService,
  ) {
    this.tokens = metrics.counter('awp_usage_tokens_total', 'Tokens that agents reported, by kind.', [
      'kind',
    ]);
    this.cost = metrics.counter(
      'awp_usage_cost_micros_total',
      'Cost that agents reported, in millionths of a US dollar.',
      [],
    );
  }

  /**
   * Does the work of a heartbeat, turn or finish after the usage that it carries was counted: what was spent counts, also
   * where the work is refused.
   * @param issueId of the request, for reports that name none
   * @throws {QuotaExceeded} when the agent has used up its hour; then no report counts, and no work is done
   */
  async countBefore<Done>(
    caller: AgentPrincipal,
    { usage, issueId }: { usage: ReportedUsage[] | undefined; issueId: string | null },
    work: () => Promise<Done>,
  ): Promise<Done> {
    if (usage?.length) await this.record(caller, usage, issueId);
    return work();
  }

  /**
   * Counts the reports for the agent, and for the issue and project where the issue is the agent's own. A report that
   * names another issue, or one that was deleted, counts for the agent alone: it has been spent.
   * A repetition spends nothing of the agent's quota, so that it is never refused.
   */
  private async record(
    caller: AgentPrincipal,
    reports: ReportedUsage[],
    issueId: string | null,
  ): Promise<void> {
    const agentId = caller.id;
    await this.transactions.run(async () => {
      const placed = await this.place(agentId, reports, issueId);
      const isNew = await this.reports.add(agentId, placed);
      const counted = placed.filter(({ reportId }) => isNew.delete(reportId));
      await this.sums.add([
        ...counted.map(({ reportId: _id, ...figures }) => ({ agentId, ...figures })),
        ...(await this.reportedTurns(agentId, counted)),
      ]);
      if (counted.length > 0) await this.quotas.spend(caller, 'usage reports', { number: counted.length });
      this.transactions.afterCommit(() => counted.forEach((report) => this.measure(report)));
    });
  }

  private async place(
    agentId: string,
    reports: ReportedUsage[],
    issueId: string | null,
  ): Promise<PlacedReport[]> {
    const named = reports.map((report) => report.issueId ?? issueId);
    const references = [...new Set(named.filter((reference) => reference !== null))];
    const ids = await this.leases.idsOf(agentId, references);
    const own = ids.size > 0 ? await this.reports.ownIssues(agentId, [...ids.values()]) : [];
    return reports.map((report, at) => {
      const reference = named[at];
      const issue = own.find(({ id }) => reference != null && id === ids.get(reference));
      return {
        reportId: report.reportId.toLowerCase(),
        projectId: issue?.projectId ?? null,
        issueId: issue?.id ?? null,
        model: report.model ?? null,
        inputTokens: report.inputTokens ?? 0,
        outputTokens: report.outputTokens ?? 0,
        cacheReadTokens: report.cacheReadTokens ?? 0,
        cacheWriteTokens: report.cacheWriteTokens ?? 0,
        costMicros: report.costMicros ?? 0,
      };
    });
  }

  /** A report makes the latest turn on its issue a reported one. */
  private async reportedTurns(agentId: string, counted: PlacedReport[]) {
    const issueIds = [...new Set(counted.flatMap(({ issueId }) => issueId ?? []))];
    const marked = issueIds.length > 0 ? await this.turns.markTurnsReported(agentId, issueIds) : [];
    return marked.map((issueId) => ({ agentId, issueId, reportedTurns: 1 }));
  }

  private measure({
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    costMicros,
  }: PlacedReport) {
    this.tokens.inc({ kind: 'input' }, inputTokens);
    this.tokens.inc({ kind: 'output' }, outputTokens);
    this.tokens.inc({ kind: 'cache_read' }, cacheReadTokens);
    this.tokens.inc({ kind: 'cache_write' }, cacheWriteTokens);
    this.cost.inc(costMicros);
  }
}
