import { PERIOD_START } from './usage-figures.response.js';

/** SQL for the first day of the present period of a budget `b`, in UTC. */
export const BUDGET_PERIOD_START = `
  CASE b.period WHEN 'day' THEN ${PERIOD_START.day} WHEN 'month' THEN ${PERIOD_START.month} ELSE ${PERIOD_START.total} END`;

/**
 * Condition: an agent, a project or an issue is over its budget, which was reached in its present period and not raised since
 * (contract §7.8).
 * @param id SQL of its id
 */
export const isOverBudget = (id: string) => `
  EXISTS (SELECT 1 FROM budgets b WHERE b.scope_id = ${id} AND b.stopped_on = ${BUDGET_PERIOD_START})`;
