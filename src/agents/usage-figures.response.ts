import { ApiProperty } from '@nestjs/swagger';
import type { SeenProjects } from './seen-projects.service.js';

/** Sums of usage. Tokens and cost are as agents reported them; the rest is counted by the service. */
export class UsageFiguresResponse implements UsageFigures {
  @ApiProperty({ type: 'integer', example: 12_000 })
  inputTokens!: number;
  @ApiProperty({ type: 'integer', example: 800 })
  outputTokens!: number;
  @ApiProperty({ type: 'integer', example: 9_000 })
  cacheReadTokens!: number;
  @ApiProperty({ type: 'integer', example: 0 })
  cacheWriteTokens!: number;
  @ApiProperty({ type: 'integer', description: 'In millionths of a US dollar.', example: 41_000 })
  costMicros!: number;
  @ApiProperty({ type: 'integer', example: 4 })
  turns!: number;
  @ApiProperty({ type: 'integer', description: 'Turns without a report.', example: 0 })
  unreportedTurns!: number;
  @ApiProperty({ type: 'integer', example: 9 })
  toolCalls!: number;
  @ApiProperty({ type: 'integer', description: 'Seconds during which issues were held.', example: 310 })
  wallSeconds!: number;
}

/** The usage of the present day and month, in UTC. */
export class RecentUsageResponse implements RecentUsage {
  today!: UsageFiguresResponse;
  month!: UsageFiguresResponse;
}

/** The sums of usage: what agents report, and what the service counts itself (contract §7.8). */
export interface UsageFigures {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  /** In millionths of a US dollar. */
  costMicros: number;
  turns: number;
  /** Turns without a report. */
  unreportedTurns: number;
  toolCalls: number;
  /** The time during which leases were held. */
  wallSeconds: number;
}

/** The usage of the present day and month, in UTC. */
export interface RecentUsage {
  today: UsageFigures;
  month: UsageFigures;
}

export type UsageScope = 'agent' | 'project' | 'issue';
export type UsagePeriod = 'day' | 'month' | 'total';

/** SQL for the first day of the present period. */
export const PERIOD_START: Record<UsagePeriod, string> = {
  day: `(now() AT TIME ZONE 'UTC')::date`,
  month: `date_trunc('month', now() AT TIME ZONE 'UTC')::date`,
  total: `DATE '1970-01-01'`,
};

const SUMS: [keyof UsageFigures, (sum: (column: string) => string) => string][] = [
  ['inputTokens', (sum) => sum('input_tokens')],
  ['outputTokens', (sum) => sum('output_tokens')],
  ['cacheReadTokens', (sum) => sum('cache_read_tokens')],
  ['cacheWriteTokens', (sum) => sum('cache_write_tokens')],
  ['costMicros', (sum) => sum('cost_micros')],
  ['turns', (sum) => sum('turns')],
  ['unreportedTurns', (sum) => `greatest(0, ${sum('turns')} - ${sum('reported_turns')})`],
  ['toolCalls', (sum) => sum('tool_calls')],
  ['wallSeconds', (sum) => `round(${sum('wall_ms')} / 1000.0)`],
];

/** Adds figures up; zeros where there are none. */
export const sumOf = (all: readonly UsageFigures[]): UsageFigures =>
  Object.fromEntries(
    SUMS.map(([name]) => [name, all.reduce((sum, figures) => sum + figures[name], 0)]),
  ) as unknown as UsageFigures;

/** SQL for the figures of rows `u` with counters, as JSON; zeros without a row. @param filter of the rows that count */
export const figuresOf = (filter = '') => {
  const sum = (column: string) => `sum(u.${column})${filter}`;
  return `json_build_object(${SUMS.map(([name, of]) => `'${name}', coalesce(${of(sum)}, 0)`).join(', ')})`;
};

/** SQL for the figures of any number of rows `u` with counters, as JSON; zeros without a row. */
export const FIGURES = figuresOf();

/** SQL for the present totals of an object: one row by its primary key. @param id SQL of its id */
export const totalOf = (scope: UsageScope, id: string, period: UsagePeriod) => `
  (SELECT ${FIGURES} FROM usage_totals u
   WHERE u.scope = '${scope}' AND u.scope_id = ${id} AND u.period = '${period}' AND u.starts_on = ${PERIOD_START[period]})`;

/** SQL for the `RecentUsage` of an object, for lists. @param id SQL of its id */
export const recentUsageOf = (scope: UsageScope, id: string) =>
  `json_build_object('today', ${totalOf(scope, id, 'day')}, 'month', ${totalOf(scope, id, 'month')})`;

/**
 * SQL for the `RecentUsage` of an agent in the projects that a caller sees, and without a project, as `GET /api/usage`
 * counts it. The sums per hour say to which project usage belongs; the totals of an agent do not.
 */
export const seenUsageOf = (
  agentId: string,
  { membership, seen }: Pick<SeenProjects, 'membership' | 'seen'>,
) => `
  (SELECT json_build_object('today', ${figuresOf(` FILTER (WHERE u.hour >= ${startOf('day')})`)}, 'month', ${FIGURES})
   FROM usage_hours u LEFT JOIN projects p ON p.id = u.project_id ${membership}
   WHERE u.agent_id = ${agentId} AND u.hour >= ${startOf('month')} AND (u.project_id IS NULL OR ${seen}))`;

/** SQL for the moment at which the present period began. */
function startOf(period: 'day' | 'month'): string {
  return `date_trunc('${period}', now(), 'UTC')`;
}
