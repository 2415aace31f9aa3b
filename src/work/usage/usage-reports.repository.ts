import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import type { ReportedFigures } from './usage-entry.js';

/** A report of an agent with the objects that it counts for. */
export interface PlacedReport extends ReportedFigures {
  reportId: string;
  projectId: string | null;
  issueId: string | null;
  model: string | null;
}

@Injectable()
export class UsageReportsRepository {
  constructor(private readonly database: DatabaseService) {}

  /**
   * Stores the reports that the agent has not sent before. A repetition that runs at the same time waits for the first.
   * An id is compared with those of all months.
   * @returns the ids of those that are new
   */
  async insert(agentId: string, reports: PlacedReport[]): Promise<Set<string>> {
    const rows = await this.database.rows<{ id: string }>(
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

  /** Returns those of these issues that are the agent's: assigned to it, or last handed to it. */
  ownIssues(agentId: string, issueIds: string[]): Promise<{ id: string; projectId: string }[]> {
    return this.database.rows(
      `SELECT i.id, i.project_id AS "projectId" FROM issues i LEFT JOIN issue_leases l ON l.issue_id = i.id
       WHERE i.id = ANY($2::uuid[]) AND (i.assigned_agent_id = $1 OR l.agent_id = $1)`,
      [agentId, issueIds],
    );
  }
}
