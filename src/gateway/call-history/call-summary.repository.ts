import { Injectable } from '@nestjs/common';
import type { CallOutcome } from '../../mcp/installed-servers/tools/call-outcome.js';
import { OUTCOME_OF_ROW } from '../../mcp/installed-servers/tools/tool-calls.repository.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { conditionsOf, type CallFilter } from './call-filter.js';

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
  constructor(private readonly database: DatabaseService) {}

  async read(filter: CallFilter): Promise<CallSummary> {
    const { where, parameters } = conditionsOf(filter);
    return (await this.database.row<CallSummary>(summaryOf(where), parameters))!;
  }
}
