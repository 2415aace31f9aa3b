import { measureNames, type BudgetRow, type Measure } from './budget.js';

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
