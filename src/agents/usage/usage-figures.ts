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

const SUMS: [keyof UsageFigures, string][] = [
  ['inputTokens', 'sum(u.input_tokens)'],
  ['outputTokens', 'sum(u.output_tokens)'],
  ['cacheReadTokens', 'sum(u.cache_read_tokens)'],
  ['cacheWriteTokens', 'sum(u.cache_write_tokens)'],
  ['costMicros', 'sum(u.cost_micros)'],
  ['turns', 'sum(u.turns)'],
  ['unreportedTurns', 'greatest(0, sum(u.turns) - sum(u.reported_turns))'],
  ['toolCalls', 'sum(u.tool_calls)'],
  ['wallSeconds', 'round(sum(u.wall_ms) / 1000.0)'],
];

/** SQL for the figures of any number of rows `u` with counters, as JSON; zeros without a row. */
export const FIGURES = `json_build_object(${SUMS.map(([name, sum]) => `'${name}', coalesce(${sum}, 0)`).join(', ')})`;

/** SQL for the present totals of an object: one row by its primary key. @param id SQL of its id */
export const totalOf = (scope: UsageScope, id: string, period: UsagePeriod) => `
  (SELECT ${FIGURES} FROM usage_totals u
   WHERE u.scope = '${scope}' AND u.scope_id = ${id} AND u.period = '${period}' AND u.starts_on = ${PERIOD_START[period]})`;

/** SQL for the `RecentUsage` of an object, for lists. @param id SQL of its id */
export const recentUsageOf = (scope: UsageScope, id: string) =>
  `json_build_object('today', ${totalOf(scope, id, 'day')}, 'month', ${totalOf(scope, id, 'month')})`;
