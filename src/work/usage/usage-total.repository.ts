import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { PERIOD_START } from '../../agents/usage-figures.response.js';
import { prepared } from '../../platform/database/service.client.js';
import { UsageTotal } from './usage.entities.js';

/** What a reported increment counts. */
export interface ReportedFigures {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  costMicros: number;
}

/** An increment of usage. Absent figures are 0; without `projectId` it is that of the issue. */
export interface UsageEntry extends Partial<ReportedFigures> {
  agentId: string;
  projectId?: string | null;
  issueId: string | null;
  model?: string | null;
  turns?: number;
  reportedTurns?: number;
  toolCalls?: number;
  wallMs?: number;
}

/** The counters of all sums: field of an entry and column of the tables. */
export const counters = [
  ['inputTokens', 'input_tokens'],
  ['outputTokens', 'output_tokens'],
  ['cacheReadTokens', 'cache_read_tokens'],
  ['cacheWriteTokens', 'cache_write_tokens'],
  ['costMicros', 'cost_micros'],
  ['turns', 'turns'],
  ['reportedTurns', 'reported_turns'],
  ['toolCalls', 'tool_calls'],
  ['wallMs', 'wall_ms'],
] as const satisfies readonly [keyof UsageEntry, string][];

const COLUMNS = counters.map(([, column]) => column).join(', ');
const SUMS = counters.map(([, column]) => `sum(${column}) AS ${column}`).join(', ');
const GIVEN = counters.map(([field, column]) => `coalesce(sum("${field}"), 0) AS ${column}`).join(', ');

/**
 * A sum stops growing here, below what JavaScript counts exactly. Agents report what they like, and a sum that overflows
 * would fail every further statement on its row: reports and records of calls of all who work in the project.
 */
const LARGEST_SUM = 8_000_000_000_000_000n;
const ADDED = counters
  .map(([, column]) => `${column} = least(u.${column}, ${LARGEST_SUM}) + excluded.${column}`)
  .join(', ');

/**
 * Adds increments to the sums per hour and to the totals of agent, project and issue. Rows are written in the order of
 * their keys, so that two of these statements never deadlock.
 */
const ADD = prepared(
  'usage.add',
  `
  WITH given AS MATERIALIZED (
    SELECT "agentId" AS agent_id, coalesce("projectId", i.project_id) AS project_id, "issueId" AS issue_id, model, ${GIVEN}
    FROM json_to_recordset($1::json) AS entry ("agentId" uuid, "projectId" uuid, "issueId" uuid, model text,
      ${counters.map(([field]) => `"${field}" bigint`).join(', ')})
    LEFT JOIN issues i ON i.id = "issueId" GROUP BY 1, 2, 3, 4),
  hours AS (
    INSERT INTO usage_hours AS u (hour, agent_id, project_id, issue_id, model, ${COLUMNS})
    SELECT date_trunc('hour', now(), 'UTC'), agent_id, project_id, issue_id, model, ${COLUMNS}
    FROM given ORDER BY agent_id, project_id, issue_id, model
    ON CONFLICT (hour, agent_id, project_id, issue_id, model) DO UPDATE SET ${ADDED})
  INSERT INTO usage_totals AS u (scope, scope_id, period, starts_on, ${COLUMNS})
  SELECT scope.name, scope.id, period.name, period.starts_on, ${SUMS}
  FROM given
  CROSS JOIN LATERAL (VALUES ('agent', agent_id), ('project', project_id), ('issue', issue_id)) AS scope(name, id)
  CROSS JOIN (VALUES ('day', ${PERIOD_START.day}), ('month', ${PERIOD_START.month}), ('total', ${PERIOD_START.total}))
    AS period(name, starts_on)
  WHERE scope.id IS NOT NULL GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (scope, scope_id, period, starts_on) DO UPDATE SET ${ADDED}`,
);

/** Writes the sums of usage. */
@Injectable()
export class UsageTotalRepository extends Repository<UsageTotal> {
  constructor(@InjectDataSource() source: DataSource) {
    super(UsageTotal, source.manager);
  }

  /** SQL: two tables in one statement, by every turn and batch of calls. Adds all increments. */
  async add(entries: readonly UsageEntry[]): Promise<void> {
    if (entries.length > 0) await this.query(ADD, [JSON.stringify(entries)]);
  }
}
