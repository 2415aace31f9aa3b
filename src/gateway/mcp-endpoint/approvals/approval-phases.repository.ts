import { Injectable } from '@nestjs/common';
import { effectiveAccess } from '../../../mcp/access/effective-access.js';
import { DatabaseService } from '../../../platform/database/database.service.js';

/** Who executes a call once it is approved; the migration explains them. */
export type ApprovalPhase = 'waiting' | 'parked' | 'approved' | 'executing' | 'done';

/** A call as its approval is asked for. */
export interface CallToApprove {
  agentId: string;
  issueId: string | null;
  serverId: string;
  tool: string;
}

/** How a call waits for its approval. */
export interface CallWait {
  /** After which it is taken from the process that has its caller, or holds its issue. */
  seconds: number;
  /** Whether a request waits for the decision; otherwise a client polls. */
  hasCaller: boolean;
  /** Names the request of a session, so that any process can cancel it. */
  cancelKey: string | null;
}

/** Condition: a person approved the call of the gate `g`, or answered the question that its server asked. */
export const APPROVED = `g.state = 'answered' AND (g.kind = 'question' OR g.answer ->> 'decision' = 'approve')`;

/** Keeps which calls wait for an approval and who executes them. Every change names the phase that it was decided on. */
@Injectable()
export class ApprovalPhasesRepository {
  constructor(private readonly database: DatabaseService) {}

  /**
   * Remembers what is to be approved: the grant, its credential set and the definition of the tool as they are now.
   * @returns false where the gate has a call already, or grant or tool are gone
   */
  async insert(
    gateId: string,
    call: CallToApprove,
    { seconds, hasCaller, cancelKey }: CallWait,
  ): Promise<boolean> {
    const inserted = await this.database.change(
      `INSERT INTO tool_approvals (gate_id, agent_id, issue_id, server_id, tool, tool_hash, granted_at, credential_set_id, wait_until, has_caller, is_polled, cancel_key)
       SELECT $1, $2, $3, $4, t.name, t.hash, a.granted_at, a.credential_set_id, now() + make_interval(secs => $6), $7, NOT $7, $8
       FROM (${effectiveAccess('$2::uuid', '$4::uuid')}) a JOIN server_tools t ON t.server_id = $4 AND t.name = $5
       ON CONFLICT (gate_id) DO NOTHING`,
      [gateId, call.agentId, call.issueId, call.serverId, call.tool, seconds, hasCaller, cancelKey],
    );
    return inserted === 1;
  }

  /** Locks the call of a gate that is locked. */
  lock(gateId: string): Promise<{ phase: ApprovalPhase; hasCaller: boolean } | null> {
    return this.database.row(
      'SELECT phase, has_caller AS "hasCaller" FROM tool_approvals WHERE gate_id = $1 FOR UPDATE',
      [gateId],
    );
  }

  /** A client was given a task: the result is kept for it, also where a caller receives it. */
  async poll(gateId: string): Promise<void> {
    await this.database.change('UPDATE tool_approvals SET is_polled = true WHERE gate_id = $1', [gateId]);
  }

  /** Returns the gate whose call waits, in whichever process, for this request. */
  async gateOfRequest(cancelKey: string): Promise<string | null> {
    const row = await this.database.row<{ gateId: string }>(
      `SELECT gate_id AS "gateId" FROM tool_approvals
       WHERE cancel_key = $1 AND phase = 'waiting' AND has_caller ORDER BY gate_id DESC LIMIT 1`,
      [cancelKey],
    );
    return row?.gateId ?? null;
  }

  async isPolled(gateId: string): Promise<boolean> {
    const row = await this.database.row<{ isPolled: boolean }>(
      'SELECT is_polled AS "isPolled" FROM tool_approvals WHERE gate_id = $1',
      [gateId],
    );
    return row?.isPolled === true;
  }

  /** The caller does not wait for the decision any more. */
  park(gateId: string): Promise<boolean> {
    return this.move(gateId, 'waiting', 'parked');
  }

  /** A call without a caller is executed by any process. */
  async approve(gateId: string): Promise<boolean> {
    return (
      (await this.database.change(
        `UPDATE tool_approvals SET phase = 'approved'
         WHERE gate_id = $1 AND (phase = 'parked' OR (phase = 'waiting' AND NOT has_caller))`,
        [gateId],
      )) === 1
    );
  }

  /** Of all that try, one gets true and executes the call. @param from `waiting` for the request of its caller */
  async claim(gateId: string, from: 'waiting' | 'approved'): Promise<boolean> {
    return (
      (await this.database.change(
        `UPDATE tool_approvals ap SET phase = 'executing', renewed_at = now() FROM gates g
         WHERE ap.gate_id = $1 AND ap.phase = $2 AND g.id = ap.gate_id AND ${APPROVED} AND g.outcome IS NULL`,
        [gateId, from],
      )) === 1
    );
  }

  /**
   * Takes over a call whose caller is gone and whose gate is closed: any process executes it where it was approved.
   * Otherwise the worker has not received the decision.
   */
  async takeOver(gateId: string): Promise<void> {
    await this.database.change(
      `WITH taken AS (
         UPDATE tool_approvals ap SET phase = CASE WHEN ${APPROVED} THEN 'approved' ELSE 'done' END FROM gates g
         WHERE ap.gate_id = $1 AND ap.phase = 'waiting' AND g.id = ap.gate_id AND g.state <> 'open'
         RETURNING ap.gate_id, ap.phase)
       UPDATE gates SET delivered_at = NULL FROM taken
       WHERE gates.id = taken.gate_id AND taken.phase = 'done' AND gates.state = 'answered'`,
      [gateId],
    );
  }

  /** The call is over. @param isDelivered whether its caller has the result */
  async finish(gateId: string, isDelivered: boolean): Promise<void> {
    await this.database.change(`UPDATE tool_approvals SET phase = 'done' WHERE gate_id = $1`, [gateId]);
    if (!isDelivered)
      await this.database.change('UPDATE gates SET delivered_at = NULL WHERE id = $1', [gateId]);
  }

  private async move(gateId: string, from: ApprovalPhase, to: ApprovalPhase): Promise<boolean> {
    return (
      (await this.database.change('UPDATE tool_approvals SET phase = $3 WHERE gate_id = $1 AND phase = $2', [
        gateId,
        from,
        to,
      ])) === 1
    );
  }
}
