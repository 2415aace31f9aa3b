import { BUDGET_PERIOD_START } from '../../agents/agent-why.js';
import { measureNames, measures, type Measure } from './budget.js';

/** Each budget `b` with the start of its present period and the one row `u` of its totals in it. */
export const budgetsOf = (alias: 'b') => `
  budgets ${alias} CROSS JOIN LATERAL (SELECT ${BUDGET_PERIOD_START} AS start) AS current
  LEFT JOIN usage_totals u ON u.scope = b.scope AND u.scope_id = b.scope_id AND u.period = b.period
    AND u.starts_on = current.start`;

const EXTRA = `CASE WHEN b.extra_on = current.start THEN b.extra END`;
const limitOf = (name: Measure) =>
  `b.${measures[name].column} + coalesce((${EXTRA} ->> '${name}')::bigint, 0)`;

/** The largest part of a limit that is used, 1 for all of it; null where there is no usage. */
export const BUDGET_SHARE = `greatest(${measureNames
  .map((name) => `(${measures[name].used})::float8 / nullif(${limitOf(name)}, 0)`)
  .join(', ')})`;

/** What is used, by measure. */
export const BUDGET_USED = `json_build_object(${measureNames
  .map((name) => `'${name}', coalesce(${measures[name].used}, 0)`)
  .join(', ')})`;

/** The limits with what was added in the present period, by measure. */
export const BUDGET_LIMITS = `json_build_object(${measureNames
  .map((name) => `'${name}', ${limitOf(name)}`)
  .join(', ')})`;
