import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { CallOutcome } from '../../mcp/server-tools/call-arguments-outcomes-reasons.js';
import { OUTCOME_OF_ROW } from '../../mcp/server-tools/tool-call-records-and-retention.repository.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import { type Page, type PageRequest, pageRequest } from '../../platform/http/page-and-cursor.query.js';
import { ValidationFailed } from '../../platform/http/problem.js';
import { IssueAccessService } from '../../work/issue-status/issue-access.service.js';
import { Issue } from '../../work/issue-status/issue.entity.js';
import { IssueRepository } from '../../work/issue-status/issue.repository.js';
import type {
  CallRow,
  CallSummary,
  CallWindowQuery,
  ListCallsQuery,
  ListIssueCallsQuery,
} from './call.dto.js';

/** The filters of records of tool calls. An undefined one matches every record. */
export interface CallFilter {
  agentId?: string;
  serverId?: string;
  toolName?: string;
  issueId?: string;
  outcome?: CallOutcome;
  from?: Date;
  to?: Date;
}

/** Each condition has an index that also holds the time. */
const CONDITIONS: Record<keyof CallFilter, (placeholder: string) => string> = {
  agentId: (placeholder) => `c.agent_id = ${placeholder}`,
  serverId: (placeholder) => `c.server_id = ${placeholder}`,
  toolName: (placeholder) => `c.tool = ${placeholder}`,
  issueId: (placeholder) => `c.issue_id = ${placeholder}`,
  outcome: (placeholder) => `${OUTCOME_OF_ROW} = ${placeholder}`,
  from: (placeholder) => `c.called_at >= ${placeholder}`,
  to: (placeholder) => `c.called_at < ${placeholder}`,
};

/** Returns the condition on `tool_calls c` for a filter, and the values of its placeholders from `$1` on. */
export function conditionsOf(filter: CallFilter): { where: string; parameters: unknown[] } {
  const names = (Object.keys(CONDITIONS) as (keyof CallFilter)[]).filter(
    (name) => filter[name] !== undefined,
  );
  const conditions = names.map((name, index) => CONDITIONS[name](`$${index + 1}`));
  return { where: ['true', ...conditions].join(' AND '), parameters: names.map((name) => filter[name]) };
}

/** The tools that a summary lists: those with the most calls. */
const MOST_TOOLS = 100;

const summaryOf = (where: string) => `
  WITH called AS (
    SELECT c.server_id, c.server_name, c.tool, c.duration_ms, ${OUTCOME_OF_ROW} AS outcome FROM tool_calls c WHERE ${where}),
  by_outcome AS (SELECT outcome, count(*)::int AS calls FROM called GROUP BY outcome),
  by_tool AS (
    SELECT server_id, max(server_name) AS server_name, tool, count(*)::int AS calls,
           (count(*) FILTER (WHERE outcome <> 'ok'))::int AS failed,
           round(percentile_cont(0.5) WITHIN GROUP (ORDER BY duration_ms))::int AS median,
           round(percentile_cont(0.95) WITHIN GROUP (ORDER BY duration_ms))::int AS p95
    FROM called GROUP BY server_id, tool ORDER BY calls DESC, server_id, tool LIMIT ${MOST_TOOLS})
  SELECT (SELECT coalesce(sum(calls), 0)::int FROM by_outcome) AS calls,
    (SELECT coalesce(json_object_agg(outcome, calls), '{}') FROM by_outcome) AS outcomes,
    (SELECT coalesce(json_agg(json_build_object('server', json_build_object('id', server_id, 'name', server_name),
              'toolName', tool, 'calls', calls, 'failed', failed, 'medianMs', median, 'p95Ms', p95)
              ORDER BY calls DESC, server_id, tool), '[]') FROM by_tool) AS tools`;

@Injectable()
export class CallSummaryRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  async read(filter: CallFilter): Promise<CallSummary> {
    const { where, parameters } = conditionsOf(filter);
    const [row] = await this.source.query<CallSummary[]>(summaryOf(where), parameters);
    return row ?? null!;
  }
}

const COLUMNS = `
  c.id, c.called_at AS at, c.tool AS "toolName", c.lease_token::float8 AS "leaseToken", c.gate_id AS "gateId",
  ${OUTCOME_OF_ROW} AS outcome, c.reason, c.duration_ms AS "durationMs", c.argument_shape AS "argumentShape",
  c.arguments_hash AS "argumentsHash", c.result_bytes::float8 AS "resultBytes",
  CASE WHEN g.id IS NOT NULL THEN json_build_object('id', g.id, 'name', g.name) END AS agent,
  CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'name', u.name) END AS "user",
  json_build_object('id', c.server_id, 'name', c.server_name) AS server,
  CASE WHEN i.id IS NOT NULL
       THEN json_build_object('id', i.id, 'key', p.key || '-' || i.number, 'title', i.title) END AS issue`;

const CALLS = `
  tool_calls c LEFT JOIN agents g ON g.id = c.agent_id LEFT JOIN users u ON u.id = c.user_id
  LEFT JOIN issues i ON i.id = c.issue_id LEFT JOIN projects p ON p.id = i.project_id`;

/** Reads the records of tool calls. */
@Injectable()
export class CallHistoryRepository {
  constructor(private readonly pages: KeysetPagesService) {}

  /** Lists the matching records, newest first. */
  list(filter: CallFilter, page: PageRequest): Promise<Page<CallRow>> {
    const { where, parameters } = conditionsOf(filter);
    const list = {
      columns: COLUMNS,
      from: CALLS,
      countedFrom: 'tool_calls c',
      where,
      parameters,
      order: [
        { column: 'c.called_at', type: 'timestamptz' },
        { column: 'c.id', type: 'uuid' },
      ],
      descending: true,
      keyOf: (row: CallRow) => [row.at.toISOString(), row.id],
    };
    return this.pages.read<CallRow>(list, page);
  }
}

export const NEWEST_FIRST = '-calledAt';

const DAY_MS = 86_400_000;

/** A summary reads every record of its window. */
const LONGEST_WINDOW_DAYS = 31;

/** Reads the records of tool calls (contract §8.2). */
@Injectable()
export class CallHistoryService {
  constructor(
    private readonly access: IssueAccessService,
    @InjectRepository(Issue) private readonly issues: IssueRepository,
    private readonly calls: CallHistoryRepository,
    private readonly summaries: CallSummaryRepository,
  ) {}

  /** @throws {ValidationFailed} for an issue that does not exist */
  async list(caller: Principal, { limit, cursor, count, ...filter }: ListCallsQuery): Promise<Page<CallRow>> {
    const issueId = filter.issueId === undefined ? undefined : await this.idOf(caller, filter.issueId);
    return this.calls.list({ ...filter, issueId }, pageRequest({ limit, cursor, count }, NEWEST_FIRST));
  }

  /** @throws {NotFound | RoleTooLow} unless the caller sees the issue */
  async listOfIssue(
    caller: Principal,
    reference: string,
    { limit, cursor, count, ...filter }: ListIssueCallsQuery,
  ): Promise<Page<CallRow>> {
    const { id } = await this.access.get(caller, reference, 'Viewer');
    return this.calls.list({ ...filter, issueId: id }, pageRequest({ limit, cursor, count }, NEWEST_FIRST));
  }

  /** @throws {ValidationFailed} for a window that is too long, or ends before it begins */
  async summarise(filter: CallWindowQuery): Promise<{ summary: CallSummary; from: Date; to: Date }> {
    const to = filter.to ?? new Date();
    const from = filter.from ?? new Date(to.getTime() - DAY_MS);
    const ms = to.getTime() - from.getTime();
    if (ms < 0 || ms > LONGEST_WINDOW_DAYS * DAY_MS)
      throw new ValidationFailed([
        { path: 'from', message: `must be before "to", by at most ${LONGEST_WINDOW_DAYS} days` },
      ]);
    return { summary: await this.summaries.read({ ...filter, from, to }), from, to };
  }

  private async idOf(caller: Principal, reference: string): Promise<string> {
    const issue = await this.issues.findSeen(caller, reference);
    if (!issue) throw new ValidationFailed([{ path: 'issueId', message: 'names no issue' }]);
    return issue.id;
  }
}
