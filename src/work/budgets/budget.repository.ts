import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { BUDGET_PERIOD_START } from '../../agents/agent-failures-over-budget-and-why.service.js';
import type { UsageScope } from '../../agents/usage-figures.response.js';
import { prepared, unseen } from '../../platform/database/service.client.js';
import type { Subject } from '../issue-status/status-changes.service.js';
import {
  type BudgetRow,
  type BudgetScope,
  type Limits,
  type Measure,
  measureNames,
  measures,
} from './budget-limits-and-amounts.js';
import { Budget } from './budget.entity.js';

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

/** What a gate says about the object of a budget. */
export interface BudgetPlace {
  name: string;
  projectId: string | null;
}

const PLACES: Record<UsageScope, string> = {
  agent: `SELECT name, NULL::uuid AS "projectId" FROM agents WHERE id = $1 AND retired_at IS NULL`,
  project: `SELECT key AS name, id AS "projectId" FROM projects WHERE id = $1`,
  issue: `SELECT p.key || '-' || i.number AS name, i.project_id AS "projectId"
          FROM issues i JOIN projects p ON p.id = i.project_id WHERE i.id = $1`,
};

/** The issues in progress that an agent works on, for the budget of an agent or project. */
const RUNNING: Record<'agent' | 'project', string> = {
  agent: 'i.assigned_agent_id',
  project: 'i.project_id',
};

const LIMITS = measureNames.map((name) => `b.${measures[name].column}::float8 AS "${name}"`).join(', ');

/**
 * Each budget with the one row of its totals in the present period. A gate that ended with its issue does not count:
 * the budget of an issue that is opened again has to open another one, or the issue would wait without a decision to make.
 */
const FIND_PRESENT = prepared(
  'budgets.find',
  `
  SELECT b.scope, b.scope_id AS "scopeId", b.period, ${LIMITS}, ${BUDGET_USED} AS used,
         to_char(current.start, 'YYYY-MM-DD') AS "startsOn",
         (SELECT g.id FROM gates g WHERE g.id = b.gate_id AND g.state = 'open') AS "gateId",
         CASE WHEN b.extra_on = current.start THEN b.extra ELSE '{}' END AS extra,
         b.stopped_on IS NOT DISTINCT FROM current.start AS stopped
  FROM ${budgetsOf('b')}
  WHERE b.scope_id = ANY(${unseen('$1::uuid[]')}::uuid[])`,
);

/** Beside what TypeORM gives, the statements about budgets that stay SQL (decision 0053). */
@Injectable()
export class BudgetRepository extends Repository<Budget> {
  constructor(@InjectDataSource() source: DataSource) {
    super(Budget, source.manager);
  }

  /** SQL: read by every turn, with the totals. Returns the budgets of these objects, those that have one. */
  findPresent(ids: string[]): Promise<BudgetRow[]> {
    return this.query(FIND_PRESENT, [ids]);
  }

  /** SQL: in the order of the ids. Locks the budgets of these objects, and returns them as they are then. */
  async lock(ids: string[]): Promise<BudgetRow[]> {
    const locked = await this.query<unknown[]>(
      'SELECT 1 FROM budgets WHERE scope_id = ANY($1::uuid[]) ORDER BY scope_id FOR UPDATE',
      [ids],
    );
    return locked.length > 0 ? this.findPresent(ids) : [];
  }

  /** Sets a budget. One that was stopped begins again, with its new limits. */
  async put({ scope, id }: BudgetScope, limits: Limits, period: string): Promise<void> {
    const stopped = { extra: {}, extraOn: null, stoppedOn: null, gateId: null };
    const budget = { scopeId: id, scope, period, ...limits, ...stopped, updatedAt: () => 'now()' };
    await this.upsert(budget, ['scopeId']);
  }

  /**
   * SQL: counts on what the row has. Adds to a limit in the period that begins on `startsOn`.
   * @param by null for the limit that is set, not the extended one
   */
  async extendLimit(id: string, startsOn: string, measure: Measure, by: number | null): Promise<void> {
    await this.query(
      `UPDATE budgets b SET stopped_on = NULL, gate_id = NULL, extra_on = $2::date,
         extra = CASE WHEN extra_on = $2::date THEN extra ELSE '{}' END || jsonb_build_object($3::text,
           coalesce($4::bigint, b.${measures[measure].column}) + CASE WHEN extra_on = $2::date THEN coalesce((extra->>$3::text)::bigint, 0) ELSE 0 END)
       WHERE scope_id = $1`,
      [id, startsOn, measure, by],
    );
  }

  /** SQL: the start of the period is the database's. Returns the gates of budgets whose period has ended since. */
  findOutdated(limit: number): Promise<{ scopeId: string; gateId: string }[]> {
    return this.query(
      `SELECT b.scope_id AS "scopeId", b.gate_id AS "gateId" FROM budgets b
       WHERE b.gate_id IS NOT NULL AND b.stopped_on IS DISTINCT FROM ${BUDGET_PERIOD_START} LIMIT $1`,
      [limit],
    );
  }

  /** SQL: rows of other modules. */
  async placeOf(scope: UsageScope, id: string): Promise<BudgetPlace | null> {
    const [place] = await this.query<BudgetPlace[]>(PLACES[scope], [id]);
    return place ?? null;
  }

  /** SQL: rows of other modules. Locks the issues of the agent or project that are in progress, and their leases, in the order of their ids. */
  lockRunning(scope: 'agent' | 'project', id: string): Promise<Subject[]> {
    return this.query(
      `SELECT i.id, i.project_id AS "projectId", i.status, i.paused FROM issues i JOIN issue_leases l ON l.issue_id = i.id
       WHERE ${RUNNING[scope]} = $1 AND i.status = 'InProgress' AND i.assigned_agent_id IS NOT NULL
         AND l.expires_at IS NOT NULL
       ORDER BY i.id FOR NO KEY UPDATE OF i, l`,
      [id],
    );
  }

  /** SQL: a row of another module. Locks the lease of an issue. A turn holds it when it locks the budgets. */
  async lockLease(issueId: string): Promise<void> {
    await this.query('SELECT 1 FROM issue_leases WHERE issue_id = $1 FOR NO KEY UPDATE', [issueId]);
  }

  /** SQL: rows of other modules. Returns the agent, and the issues and projects that it works on now. */
  async workOf(agentId: string): Promise<string[]> {
    const rows = await this.query<{ id: string; projectId: string }[]>(
      `SELECT i.id, i.project_id AS "projectId" FROM issue_leases l JOIN issues i ON i.id = l.issue_id
       WHERE l.agent_id = $1 AND l.expires_at > now()`,
      [agentId],
    );
    return [...new Set([agentId, ...rows.flatMap(({ id, projectId }) => [id, projectId])])];
  }
}
