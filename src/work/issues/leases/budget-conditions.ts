import { BUDGET_PERIOD_START } from '../../../agents/agent-why.js';

/** Condition: the budget of the object was reached in its present period and not raised since. @param id SQL of its id */
export const isOverBudget = (id: string) => `
  EXISTS (SELECT 1 FROM budgets b WHERE b.scope_id = ${id} AND b.stopped_on = ${BUDGET_PERIOD_START})`;
