import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type FindOptionsWhere, In, Repository } from 'typeorm';
import type { ApproverRole } from '../../mcp/access/access.entities.js';
import { effectiveAccess } from '../../mcp/access/effective-access-and-refusals.js';
import { prepared } from '../../platform/database/service.client.js';
import type { Actor } from '../../platform/journal/journal.service.js';
import { Gate } from '../../work/gates/gate.entity.js';
import { ToolApproval } from './tool-approval.entity.js';

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

/** What a person should know about a tool that an agent asks to call. */
export interface ApproverAndHints {
  /** The hints that the server gives about the tool. */
  annotations: Record<string, boolean>;
  /** What the server says that the tool does; null where it says nothing. */
  description: string | null;
  approverRole: ApproverRole;
}

/** The most characters of a description that a person is shown. */
const LONGEST_DESCRIPTION = 2_000;

/** Condition: a person approved the call of the gate `g`, or answered the question that its server asked. */
export const APPROVED = `g.state = 'answered' AND (g.kind = 'question' OR g.answer ->> 'decision' = 'approve')`;

const DUE = prepared(
  'approval-phases.due',
  `SELECT gate_id AS "gateId", phase FROM tool_approvals
   WHERE phase IN ('waiting', 'approved', 'executing')
     AND (phase = 'approved' OR (phase = 'waiting' AND wait_until < now())
          OR (phase = 'executing' AND renewed_at < now() - make_interval(secs => $2)))
   LIMIT $1`,
);

/** Keeps which calls wait for an approval and who executes them. Every change names the phase that it was decided on. */
@Injectable()
export class ToolApprovalRepository extends Repository<ToolApproval> {
  constructor(@InjectDataSource() source: DataSource) {
    super(ToolApproval, source.manager);
  }

  /**
   * SQL: inserts what other rows say. Remembers what is to be approved: the grant, its credential set and the definition
   * of the tool as they are now.
   * @returns false where the gate has a call already, or grant or tool are gone
   */
  async add(
    gateId: string,
    call: CallToApprove,
    { seconds, hasCaller, cancelKey }: CallWait,
  ): Promise<boolean> {
    const added = await this.query<unknown[]>(
      `INSERT INTO tool_approvals (gate_id, agent_id, issue_id, server_id, tool, tool_hash, granted_at, credential_set_id, wait_until, has_caller, is_polled, cancel_key)
       SELECT $1, $2, $3, $4, t.name, t.hash, a.granted_at, a.credential_set_id, now() + make_interval(secs => $6), $7, NOT $7, $8
       FROM (${effectiveAccess('$2::uuid', '$4::uuid')}) a JOIN server_tools t ON t.server_id = $4 AND t.name = $5
       ON CONFLICT (gate_id) DO NOTHING RETURNING gate_id`,
      [gateId, call.agentId, call.issueId, call.serverId, call.tool, seconds, hasCaller, cancelKey],
    );
    return added.length === 1;
  }

  /** SQL: json of a definition. Returns null where the agent has no grant any more, or the server no such tool. */
  async approverAndHints({ agentId, serverId, tool }: CallToApprove): Promise<ApproverAndHints | null> {
    const [row] = await this.query<ApproverAndHints[]>(
      `SELECT a.approver_role AS "approverRole",
         (SELECT coalesce(jsonb_object_agg(key, value), '{}')
          FROM jsonb_each(CASE jsonb_typeof(t.definition -> 'annotations') WHEN 'object'
                          THEN t.definition -> 'annotations' ELSE '{}' END)
          WHERE key IN ('readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint')
            AND jsonb_typeof(value) = 'boolean') AS annotations,
         left(t.definition ->> 'description', ${LONGEST_DESCRIPTION}) AS description
       FROM (${effectiveAccess('$1::uuid', '$2::uuid')}) a JOIN server_tools t ON t.server_id = $2 AND t.name = $3`,
      [agentId, serverId, tool],
    );
    return row ?? null;
  }

  /** Locks the call of a gate that is locked. */
  lock(gateId: string): Promise<Pick<ToolApproval, 'phase' | 'hasCaller'> | null> {
    return this.findOne({
      select: { gateId: true, phase: true, hasCaller: true },
      where: { gateId },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** A client was given a task: the result is kept for it, also where a caller receives it. */
  async poll(gateId: string): Promise<void> {
    await this.update({ gateId }, { isPolled: true });
  }

  /** Returns the gate whose call waits, in whichever process, for this request. */
  async gateOfRequest(cancelKey: string): Promise<string | null> {
    const approval = await this.findOne({
      select: { gateId: true },
      where: { cancelKey, phase: 'waiting', hasCaller: true },
      order: { gateId: 'DESC' },
    });
    return approval?.gateId ?? null;
  }

  isPolled(gateId: string): Promise<boolean> {
    return this.existsBy({ gateId, isPolled: true });
  }

  /** The caller does not wait for the decision any more. */
  park(gateId: string): Promise<boolean> {
    return this.move({ gateId, phase: 'waiting' }, 'parked');
  }

  /** SQL: one of two states. A call without a caller is executed by any process. */
  async approve(gateId: string): Promise<boolean> {
    const [, approved] = await this.query<[unknown, number]>(
      `UPDATE tool_approvals SET phase = 'approved'
       WHERE gate_id = $1 AND (phase = 'parked' OR (phase = 'waiting' AND NOT has_caller))`,
      [gateId],
    );
    return approved === 1;
  }

  /**
   * SQL: decides on another row. Of all that try, one gets true and executes the call.
   * @param from `waiting` for the request of its caller
   */
  async claim(gateId: string, from: 'waiting' | 'approved'): Promise<boolean> {
    const [, claimed] = await this.query<[unknown, number]>(
      `UPDATE tool_approvals ap SET phase = 'executing', renewed_at = now() FROM gates g
       WHERE ap.gate_id = $1 AND ap.phase = $2 AND g.id = ap.gate_id AND ${APPROVED} AND g.outcome IS NULL`,
      [gateId, from],
    );
    return claimed === 1;
  }

  /**
   * SQL: two tables in one statement. Takes over a call whose caller is gone and whose gate is closed: any process
   * executes it where it was approved. Otherwise the worker has not received the decision.
   */
  async takeOver(gateId: string): Promise<void> {
    await this.query(
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
    await this.update({ gateId }, { phase: 'done' });
    if (!isDelivered) await this.manager.update(Gate, { id: gateId }, { deliveredAt: null });
  }

  /** Shows that the process of these calls lives. */
  async renew(gateIds: string[]): Promise<void> {
    if (gateIds.length === 0) return;
    await this.update({ gateId: In(gateIds), phase: 'executing' }, { renewedAt: () => 'now()' });
  }

  /** SQL: the index of active phases. Returns the calls that need a process: to execute them, or because theirs is gone. */
  due(
    limit: number,
    deadAfterSeconds: number,
  ): Promise<{ gateId: string; phase: 'waiting' | 'approved' | 'executing' }[]> {
    return this.query(DUE, [limit, deadAfterSeconds]);
  }

  /** Returns those of these gates that are still open. */
  async openAmong(gateIds: string[]): Promise<Set<string>> {
    const gates = await this.manager.find(Gate, {
      select: { id: true },
      where: { id: In(gateIds), state: 'open' },
    });
    return new Set(gates.map(({ id }) => id));
  }

  /** SQL: gates and their answers. Returns those of these gates whose call is not over: no decision has come, or it is approved and was not executed. */
  async unfinishedAmong(gateIds: string[]): Promise<Set<string>> {
    const rows = await this.query<{ id: string }[]>(
      `SELECT g.id FROM gates g
       WHERE g.id = ANY($1::uuid[]) AND (g.state = 'open' OR (${APPROVED} AND g.outcome IS NULL))`,
      [gateIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * SQL: joins what the agent may use now. Returns who approved the tool for all calls of the agent on the issue, by
   * `scope: "issue"` (contract §5.7), while grant, credentials and definition are the same.
   */
  async approverFor({ agentId, issueId, serverId, tool }: CallToApprove): Promise<Actor | null> {
    const [row] = await this.query<Actor[]>(
      `SELECT g.closed_by_type AS type, g.closed_by_id AS id, g.closed_by_name AS name FROM tool_approvals ap JOIN gates g ON g.id = ap.gate_id
       JOIN LATERAL (${effectiveAccess('ap.agent_id', 'ap.server_id')}) a ON a.granted_at = ap.granted_at
         AND a.credential_set_id IS NOT DISTINCT FROM ap.credential_set_id
       JOIN server_tools t ON t.server_id = ap.server_id AND t.name = ap.tool AND t.hash = ap.tool_hash
       WHERE ap.issue_id = $1 AND ap.agent_id = $2 AND ap.server_id = $3 AND ap.tool = $4
         AND ${APPROVED} AND g.answer ->> 'scope' = 'issue' LIMIT 1`,
      [issueId, agentId, serverId, tool],
    );
    return row ?? null;
  }

  private async move(from: FindOptionsWhere<ToolApproval>, phase: ApprovalPhase): Promise<boolean> {
    const { affected } = await this.update(from, { phase });
    return affected === 1;
  }
}
