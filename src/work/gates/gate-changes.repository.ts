import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import type { Actor } from '../../platform/journal/journal-context.js';
import { hasExactNumbers, jsonText } from '../../platform/json/exact-json.js';
import type { GateKind, GateState } from '../issue-status/gate-state.js';
import type { GateAnswer, GateRow } from './gate.repository.js';

/** A gate to be opened. */
export interface StoredGate extends Pick<
  GateRow,
  | 'id'
  | 'kind'
  | 'projectId'
  | 'issueId'
  | 'agentId'
  | 'holds'
  | 'answerRole'
  | 'title'
  | 'detail'
  | 'options'
> {
  recommended: string | null;
  request: Record<string, unknown>;
  /** At most one open gate has it; null: no such rule. */
  onceKey: string | null;
  /** null for a gate that does not expire. */
  seconds: number | null;
  openedBy: Actor;
}

/** How a gate ends. */
export interface Closing {
  state: Exclude<GateState, 'open'>;
  answer: GateAnswer | null;
  by: Actor;
  /** Whether it holds its issue on, until an approved call was executed. */
  keepsHolding: boolean;
  /** Whether its worker knows already, so that no pick-up has to carry it. */
  isDelivered: boolean;
}

/** A gate whose time is over. */
export interface DueGate {
  id: string;
  issueId: string | null;
}

/** A gate that expired, as the journal records it. */
export interface ExpiredGate {
  id: string;
  kind: GateKind;
  projectId: string | null;
  issueId: string | null;
}

/**
 * Writes gates. Every write names the state that it was decided on. A transaction that writes the gate of an issue holds the row
 * of the issue, so that what blocks an issue changes only under its lock.
 */
@Injectable()
export class GateChangesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Locks the agent's row, so that its gates are counted one by one. It comes before any issue. */
  async lockAgent(agentId: string): Promise<void> {
    await this.database.rows('SELECT id FROM agents WHERE id = $1 FOR NO KEY UPDATE', [agentId]);
  }

  /** Counts the open gates that the agent itself caused; a budget is not its doing. */
  async countOpen(agentId: string): Promise<number> {
    const row = await this.database.row<{ count: number }>(
      `SELECT count(*)::int AS count FROM gates WHERE agent_id = $1 AND state = 'open' AND kind <> 'budget'`,
      [agentId],
    );
    return row!.count;
  }

  /** @returns false where an open gate has the same `onceKey` */
  async insert(gate: StoredGate): Promise<boolean> {
    const { openedBy: by } = gate;
    const inserted = await this.database.change(
      `INSERT INTO gates (id, kind, project_id, issue_id, agent_id, holds, answer_role, title, detail, options, recommended,
                          request, once_key, expires_at, opened_by_type, opened_by_id, opened_by_name)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, now() + make_interval(secs => $14), $15, $16, $17)
       ON CONFLICT (once_key) WHERE once_key IS NOT NULL AND state = 'open' DO NOTHING`,
      [
        ...[gate.id, gate.kind, gate.projectId, gate.issueId, gate.agentId, gate.holds, gate.answerRole],
        ...[gate.title, gate.detail, gate.options, gate.recommended, JSON.stringify(gate.request)],
        ...[gate.onceKey, gate.seconds, by.type, by.id, by.name],
      ],
    );
    return inserted === 1;
  }

  async openIdOf(onceKey: string): Promise<string | null> {
    const row = await this.database.row<{ id: string }>(
      `SELECT id FROM gates WHERE once_key = $1 AND state = 'open'`,
      [onceKey],
    );
    return row?.id ?? null;
  }

  /** Locks an open gate; the row of its issue comes first. @returns false when it is closed */
  async lockOpen(id: string): Promise<boolean> {
    const sql = `SELECT 1 FROM gates WHERE id = $1 AND state = 'open' FOR UPDATE`;
    return (await this.database.row(sql, [id])) !== null;
  }

  /** Closes a gate that `lockOpen` has locked. */
  async close(id: string, { state, answer, by, keepsHolding, isDelivered }: Closing): Promise<void> {
    await this.database.change(
      `UPDATE gates SET state = $2, answer = $3, closed_at = now(), holds = holds AND $4,
         closed_by_type = $5, closed_by_id = $6, closed_by_name = $7, delivered_at = CASE WHEN $8 THEN now() END
       WHERE id = $1 AND state = 'open'`,
      [id, state, answer && JSON.stringify(answer), keepsHolding, by.type, by.id, by.name, isDelivered],
    );
  }

  /** Lets a gate that `lockOpen` has locked hold its issue. */
  async hold(id: string): Promise<void> {
    await this.database.change(
      `UPDATE gates SET holds = true WHERE id = $1 AND state = 'open' AND issue_id IS NOT NULL`,
      [id],
    );
  }

  /** Stores how the call of a gate ended, once. @returns false when that is stored already */
  async complete(id: string, outcome: string, result: unknown): Promise<boolean> {
    const exact = hasExactNumbers(result) ? jsonText(result) : null;
    return (
      (await this.database.change(
        `UPDATE gates SET outcome = $2, result = $3, result_exact = $4, holds = false
         WHERE id = $1 AND state = 'answered' AND kind IN ('approval', 'question') AND outcome IS NULL`,
        [id, outcome, JSON.stringify(result ?? null), exact],
      )) === 1
    );
  }

  /** Returns open gates that are due, by an index that holds open gates only. */
  findDue(limit: number): Promise<DueGate[]> {
    return this.database.rows<DueGate>(
      `SELECT id, issue_id AS "issueId" FROM gates WHERE state = 'open' AND expires_at <= now()
       ORDER BY expires_at LIMIT $1`,
      [limit],
    );
  }

  /**
   * Locks the issues of gates that are due, in id order as everywhere. Those that another transaction holds are left to
   * the next round, so that a busy issue delays no other. @returns the gates whose issue is locked, or that have none
   */
  async lockIssuesOf(due: DueGate[]): Promise<string[]> {
    const locked = await this.database.rows<{ id: string }>(
      'SELECT id FROM issues WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE SKIP LOCKED',
      [due.flatMap(({ issueId }) => issueId ?? [])],
    );
    const held = new Set(locked.map(({ id }) => id));
    return due.filter(({ issueId }) => issueId === null || held.has(issueId)).map(({ id }) => id);
  }

  /** Expires those of these gates that are still open, by the database's clock. */
  expire(ids: string[]): Promise<ExpiredGate[]> {
    return this.database.rows<ExpiredGate>(
      `UPDATE gates SET state = 'expired', closed_at = now(), holds = false,
         closed_by_type = 'system', closed_by_name = 'system'
       WHERE id = ANY($1::uuid[]) AND state = 'open' AND expires_at <= now()
       RETURNING id, kind, project_id AS "projectId", issue_id AS "issueId"`,
      [ids],
    );
  }
}
