import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { BUDGET_PERIOD_START } from '../../agents/agent-why.js';
import { budgetsOf, BUDGET_USED } from './budget-sql.js';
import {
  measureNames,
  measures,
  type BudgetRow,
  type BudgetScope,
  type Limits,
  type Measure,
} from './budget.js';

const LIMITS = measureNames.map((name) => `b.${measures[name].column}::float8 AS "${name}"`).join(', ');

/**
 * Each budget with the one row of its totals in the present period. A gate that ended with its issue does not count:
 * the budget of an issue that is opened again has to open another one, or the issue would wait without a decision to make.
 */
const SELECT = `
  SELECT b.scope, b.scope_id AS "scopeId", b.period, ${LIMITS}, ${BUDGET_USED} AS used,
         to_char(current.start, 'YYYY-MM-DD') AS "startsOn",
         (SELECT g.id FROM gates g WHERE g.id = b.gate_id AND g.state = 'open') AS "gateId",
         CASE WHEN b.extra_on = current.start THEN b.extra ELSE '{}' END AS extra,
         b.stopped_on IS NOT DISTINCT FROM current.start AS stopped
  FROM ${budgetsOf('b')}
  WHERE b.scope_id = ANY($1::uuid[])`;

/** Reads and writes budgets. */
@Injectable()
export class BudgetsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns the budgets of these objects, those that have one. */
  find(ids: string[]): Promise<BudgetRow[]> {
    return this.database.prepared<BudgetRow>('budgets.find', SELECT, [ids]);
  }

  /** Locks the budgets of these objects in the order of their ids, and returns them as they are then. */
  async lock(ids: string[]): Promise<BudgetRow[]> {
    const locked = await this.database.rows(
      'SELECT 1 FROM budgets WHERE scope_id = ANY($1::uuid[]) ORDER BY scope_id FOR UPDATE',
      [ids],
    );
    return locked.length > 0 ? this.find(ids) : [];
  }

  /** Sets a budget. One that was stopped begins again, with its new limits. */
  async put({ scope, id }: BudgetScope, limits: Limits, period: string): Promise<void> {
    await this.database.change(
      `INSERT INTO budgets (scope_id, scope, period, ${measureNames.map((name) => measures[name].column).join(', ')})
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (scope_id) DO UPDATE SET period = excluded.period,
         ${measureNames.map((name) => `${measures[name].column} = excluded.${measures[name].column}`).join(', ')},
         extra = '{}', extra_on = NULL, stopped_on = NULL, gate_id = NULL, updated_at = now()`,
      [id, scope, period, ...measureNames.map((name) => limits[name])],
    );
  }

  async delete(id: string): Promise<boolean> {
    return (await this.database.change('DELETE FROM budgets WHERE scope_id = $1', [id])) > 0;
  }

  /** @param startsOn the period in which the limit was reached */
  async stop(id: string, startsOn: string, gateId: string): Promise<void> {
    await this.database.change('UPDATE budgets SET stopped_on = $2::date, gate_id = $3 WHERE scope_id = $1', [
      id,
      startsOn,
      gateId,
    ]);
  }

  /** Adds to a limit in the period that begins on `startsOn`. @param by null for the limit that is set, not the extended one */
  async extend(id: string, startsOn: string, measure: Measure, by: number | null): Promise<void> {
    await this.database.change(
      `UPDATE budgets b SET stopped_on = NULL, gate_id = NULL, extra_on = $2::date,
         extra = CASE WHEN extra_on = $2::date THEN extra ELSE '{}' END || jsonb_build_object($3::text,
           coalesce($4::bigint, b.${measures[measure].column}) + CASE WHEN extra_on = $2::date THEN coalesce((extra->>$3::text)::bigint, 0) ELSE 0 END)
       WHERE scope_id = $1`,
      [id, startsOn, measure, by],
    );
  }

  /** @param keepsStopped whether nothing is handed out until the period ends */
  async forgetGate(id: string, gateId: string, keepsStopped: boolean): Promise<void> {
    await this.database.change(
      `UPDATE budgets SET gate_id = NULL, stopped_on = CASE WHEN $3 THEN stopped_on END
       WHERE scope_id = $1 AND gate_id = $2`,
      [id, gateId, keepsStopped],
    );
  }

  /** Returns the gates of budgets whose period has ended since. */
  findOutdated(limit: number): Promise<{ scopeId: string; gateId: string }[]> {
    return this.database.rows(
      `SELECT b.scope_id AS "scopeId", b.gate_id AS "gateId" FROM budgets b
       WHERE b.gate_id IS NOT NULL AND b.stopped_on IS DISTINCT FROM ${BUDGET_PERIOD_START} LIMIT $1`,
      [limit],
    );
  }
}
