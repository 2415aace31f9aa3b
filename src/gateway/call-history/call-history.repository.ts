import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { ArgumentShape, CallOutcome } from '../../mcp/server-tools/tool-arguments-and-outcomes.js';
import { OUTCOME_OF_ROW } from '../../mcp/server-tools/tool-call.repository.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import type { Page, PageRequest } from '../../platform/http/page.query.js';

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

/** The calls of one tool in a window. */
export interface ToolSummary {
  server: { id: string; name: string };
  toolName: string;
  calls: number;
  failed: number;
  medianMs: number;
  p95Ms: number;
}

/** The calls of a window. */
export interface CallSummary {
  calls: number;
  outcomes: Partial<Record<CallOutcome, number>>;
  tools: ToolSummary[];
}

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

/** The record of a tool call, with the present names of what it refers to. */
export interface CallRow {
  id: string;
  at: Date;
  agent: { id: string; name: string } | null;
  user: { id: string; name: string } | null;
  server: { id: string; name: string };
  toolName: string;
  issue: { id: string; key: string; title: string } | null;
  leaseToken: number | null;
  gateId: string | null;
  outcome: CallOutcome;
  reason: string | null;
  durationMs: number;
  argumentShape: ArgumentShape;
  argumentsHash: string | null;
  resultBytes: number | null;
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
