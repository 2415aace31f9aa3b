/** SQL for the first day of the present period of a budget `b`, in UTC. */
export const BUDGET_PERIOD_START = `
  CASE b.period WHEN 'day' THEN (now() AT TIME ZONE 'UTC')::date
    WHEN 'month' THEN date_trunc('month', now() AT TIME ZONE 'UTC')::date ELSE DATE '1970-01-01' END`;

/** Condition: the budget of the object was reached in its present period and not raised since. @param id SQL of its id */
export const isOverBudget = (id: string) => `
  EXISTS (SELECT 1 FROM budgets b WHERE b.scope_id = ${id} AND b.stopped_on = ${BUDGET_PERIOD_START})`;
