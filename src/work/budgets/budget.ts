import type { UsagePeriod, UsageScope } from '../../agents/usage-figures.response.js';

/** What a budget can limit, with the column of its limit and the SQL of what is used, over `usage_totals u`. */
export const measures = {
  tokens: { column: 'tokens', used: 'u.input_tokens + u.output_tokens', word: 'tokens' },
  costMicros: { column: 'cost_micros', used: 'u.cost_micros', word: 'US dollars' },
  turns: { column: 'turns', used: 'u.turns', word: 'turns' },
  toolCalls: { column: 'tool_calls', used: 'u.tool_calls', word: 'tool calls' },
  wallSeconds: { column: 'wall_seconds', used: 'u.wall_ms / 1000', word: 'seconds' },
} as const;
export type Measure = keyof typeof measures;
export const measureNames = Object.keys(measures) as Measure[];

const MICROS = 1_000_000;

/** An amount for people, without its unit, which is the word of the measure: money in dollars. */
export const amountText = (measure: Measure, amount: number): string =>
  measure === 'costMicros' ? (amount / MICROS).toFixed(2) : String(amount);

export const LARGEST_LIMIT = 1_000_000_000_000;

export const budgetPeriods = ['day', 'month', 'total'] as const;

/** An agent, project or issue. */
export interface BudgetScope {
  scope: UsageScope;
  id: string;
}

/** The limits of a budget; null: no limit. */
export type Limits = Record<Measure, number | null>;

/** A budget as it is stored, and what is used of it in the present period. */
export interface BudgetRow extends Limits {
  scope: UsageScope;
  scopeId: string;
  period: UsagePeriod;
  /** What was added to the limits in the present period. */
  extra: Partial<Record<Measure, number>>;
  used: Record<Measure, number>;
  /** The first day of the present period. */
  startsOn: string;
  /** Whether it was reached in the present period and not raised since. */
  stopped: boolean;
  gateId: string | null;
}

/** A limit that is used up. */
export interface ReachedLimit {
  measure: Measure;
  /** With what was added in the present period. */
  limit: number;
  used: number;
}

/** Returns the first limit that is used up, or null. @param among the measures to look at */
export function reachedLimit(
  budget: Pick<BudgetRow, Measure | 'extra' | 'used'>,
  among: readonly Measure[] = measureNames,
): ReachedLimit | null {
  for (const measure of among) {
    const stored = budget[measure];
    if (stored === null) continue;
    const limit = stored + (budget.extra[measure] ?? 0);
    const used = budget.used[measure];
    if (used >= limit) return { measure, limit, used };
  }
  return null;
}
