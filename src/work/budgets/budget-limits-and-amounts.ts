import type { UsagePeriod, UsageScope } from '../../agents/usage-figures.response.js';

/**
 * What a budget can limit, with the column of its limit, the SQL of what is used, over `usage_totals u`, and the word for one
 * of it; money has none.
 */
export const measures = {
  tokens: { column: 'tokens', used: 'u.input_tokens + u.output_tokens', word: 'token' },
  costMicros: { column: 'cost_micros', used: 'u.cost_micros', word: null },
  turns: { column: 'turns', used: 'u.turns', word: 'turn' },
  toolCalls: { column: 'tool_calls', used: 'u.tool_calls', word: 'tool call' },
  wallSeconds: { column: 'wall_seconds', used: 'u.wall_ms / 1000', word: 'second' },
} as const;
export type Measure = keyof typeof measures;
export const measureNames = Object.keys(measures) as Measure[];

const MICROS = 1_000_000;
const CENT = 10_000;
const inDollars = (most: number) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: most });
const [dollars, partsOfCents] = [inDollars(2), inDollars(6)];
const numbers = new Intl.NumberFormat('en-US');

/** An amount for people, money as `$4.02`. The unit of other measures stands behind it. */
function amountText(measure: Measure, amount: number): string {
  if (measure !== 'costMicros') return numbers.format(Math.floor(amount));
  return (amount < CENT ? partsOfCents : dollars).format(amount / MICROS);
}

/** An amount with its unit for people, such as `$4.02`, `1 turn` or `12,000 tokens`. @param of the limit: `$4.02 of $5.00` */
export function amountInWords(measure: Measure, amount: number, of?: number): string {
  const { word } = measures[measure];
  const text = [amount, ...(of === undefined ? [] : [of])]
    .map((one) => amountText(measure, one))
    .join(' of ');
  return word === null ? text : `${text} ${word}${(of ?? amount) === 1 ? '' : 's'}`;
}

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

/** A budget, and how much of it is used in the present period. */
export interface UsedBudget {
  scope: UsageScope;
  period: UsagePeriod;
  /** With what was added in the present period. */
  limits: Record<Measure, number | null>;
  used: Record<Measure, number>;
}

interface UsedLimit {
  measure: Measure;
  limit: number;
  used: number;
}

/** The part of a limit that is used when a person should look. */
export const NEAR = 0.8;

function limitsOf({ limits, used }: UsedBudget): UsedLimit[] {
  return measureNames.flatMap((measure) => {
    const limit = limits[measure];
    return limit === null ? [] : [{ measure, limit, used: used[measure] }];
  });
}

const share = ({ limit, used }: UsedLimit) => used / limit;

/** The limit of which most is used. */
export function nearestLimit(budget: UsedBudget): UsedLimit {
  return limitsOf(budget).toSorted((a, b) => share(b) - share(a))[0]!;
}

/** How much of the nearest limit is used, in whole percent. */
export function shareOf(budget: UsedBudget): number {
  return Math.floor(share(nearestLimit(budget)) * 100);
}

/** All limits of the budget, those that are nearly used up doubled, and these in words. */
export function raisedLimits(budget: UsedBudget): { limits: UsedBudget['limits']; words: string } {
  const limits = { ...budget.limits };
  const near = limitsOf(budget).filter((one) => share(one) >= NEAR);
  for (const { measure, limit, used } of near)
    limits[measure] = Math.min(LARGEST_LIMIT, 2 * Math.max(limit, Math.ceil(used)));
  return { limits, words: near.map(({ measure }) => amountInWords(measure, limits[measure]!)).join(' and ') };
}
