import type { Budget, SetBudget } from '../../api/types';
import { measures, type Measure } from './queries';

/** What people type, in the unit that they think in: tokens in thousands, dollars, hours. */
export type BudgetFields = Record<Measure, string> & { period: 'day' | 'month' | 'total' };

/** The fields of no budget. */
export const noBudget: BudgetFields = {
  ...{ tokens: '', costMicros: '', turns: '', toolCalls: '', wallSeconds: '' },
  period: 'day',
};

export const perUnit: Record<Measure, number> = {
  tokens: 1_000,
  costMicros: 1_000_000,
  turns: 1,
  toolCalls: 1,
  wallSeconds: 3_600,
};

export const fieldLabels: Record<Measure, string> = {
  tokens: 'Tokens, in thousands',
  costMicros: 'Cost, in US dollars',
  turns: 'Turns',
  toolCalls: 'Tool calls',
  wallSeconds: 'Time, in hours',
};

export function fieldsOf(budget: Budget): BudgetFields {
  const texts = measures.map((measure) => {
    const limit = budget[measure];
    return [measure, limit === null ? '' : String(limit / perUnit[measure])];
  });
  return { ...(Object.fromEntries(texts) as Record<Measure, string>), period: budget.period ?? 'day' };
}

/** The body of a request; null where every field is empty, which means no budget. */
export function bodyOfFields({ period, ...texts }: BudgetFields): SetBudget | null {
  const given = measures.filter((measure) => texts[measure].trim() !== '');
  if (given.length === 0) return null;
  const limits = given.map((measure) => [measure, Math.round(Number(texts[measure]) * perUnit[measure])]);
  return { ...(Object.fromEntries(limits) as Partial<Record<Measure, number>>), period };
}
