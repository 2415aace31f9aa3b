import { randomUUID } from 'node:crypto';
import type { BudgetResponse } from '../../../../../src/work/budgets/budget.dto.js';
import type { Answer } from '../../../../support/answer.js';
import type { Caller } from '../../../../support/caller.js';
import type { Wire } from '../../../../support/wire.js';

export type Budget = Wire<BudgetResponse>;

/** @param path that of the issue */
export const limitTokens = (person: Caller, path: string, tokens: number): Promise<Answer<Budget>> =>
  person.put<Budget>(`${path}/budget`, { tokens, period: 'total' });

/** What a heartbeat reports of the use of an issue. */
export const reportOf = (issueId: string, tokens: number) => ({
  reportId: randomUUID(),
  issueId,
  inputTokens: tokens,
  outputTokens: 0,
});
