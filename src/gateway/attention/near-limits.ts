import type { UsagePeriod, UsageScope } from '../../agents/usage-figures.response.js';
import {
  amountInWords,
  LARGEST_LIMIT,
  type Measure,
  measureNames,
} from '../../work/budgets/budget-limits-and-amounts.js';

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
