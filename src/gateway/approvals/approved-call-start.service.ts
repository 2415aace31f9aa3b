import { AsyncResource } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { CallReason } from '../../mcp/server-tools/call-arguments-outcomes-reasons.js';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import {
  ACCESS,
  CREDENTIAL_SET,
  SERVER_REFUSAL,
  TOOL_REFUSAL,
} from '../../mcp/access/effective-access-and-refusals.js';
import { Semaphore } from '../../platform/concurrency/queues-semaphores-and-context-slots.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { ApprovalOutdated } from './approval-requests-and-errors.service.js';

/** An approved call that the service executes by itself. */
export interface ApprovedCall {
  agentId: string;
  agentName: string;
  serverId: string;
  /** null for a server that was removed. */
  slug: string | null;
  tool: string;
  issueId: string | null;
  projectId: string | null;
}

/** The rows that a call may be executed for, in the order of all locks: agent, issue, server, grant, profiles, tool. */
const LOCKS = [
  'SELECT 1 FROM agents g, agent_halt h, tool_approvals ap WHERE ap.gate_id = $1 AND g.id = ap.agent_id FOR SHARE OF g, h',
  'SELECT 1 FROM issues i, tool_approvals ap WHERE ap.gate_id = $1 AND i.id = ap.issue_id FOR SHARE OF i',
  'SELECT 1 FROM installed_servers s, tool_approvals ap WHERE ap.gate_id = $1 AND s.id = ap.server_id FOR SHARE OF s',
  `SELECT 1 FROM server_access a, tool_approvals ap
   WHERE ap.gate_id = $1 AND a.server_id = ap.server_id AND a.agent_id = ap.agent_id FOR SHARE OF a`,
  `SELECT 1 FROM access_profile_agents m, access_profile_entries e, access_profiles p, tool_approvals ap
   WHERE ap.gate_id = $1 AND m.agent_id = ap.agent_id AND e.profile_id = m.profile_id AND e.server_id = ap.server_id
     AND p.id = m.profile_id ORDER BY p.id FOR SHARE OF m, e, p`,
  `SELECT 1 FROM server_tools t, tool_approvals ap
   WHERE ap.gate_id = $1 AND t.server_id = ap.server_id AND t.name = ap.tool FOR SHARE OF t`,
];

/** Reads what approved calls are executed with, and whether they still may be. */
@Injectable()
export class ApprovedCallRightsRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  async find(gateId: string): Promise<ApprovedCall | null> {
    const [row] = await this.source.query<ApprovedCall[]>(
      `SELECT ap.agent_id AS "agentId", g.name AS "agentName", ap.server_id AS "serverId", s.slug, ap.tool,
         ap.issue_id AS "issueId", i.project_id AS "projectId"
       FROM tool_approvals ap JOIN agents g ON g.id = ap.agent_id
       LEFT JOIN installed_servers s ON s.id = ap.server_id LEFT JOIN issues i ON i.id = ap.issue_id
       WHERE ap.gate_id = $1`,
      [gateId],
    );
    return row ?? null;
  }

  /** Holds off, until the end of the transaction, every change that would forbid the call. */
  async holdOff(gateId: string): Promise<void> {
    for (const sql of LOCKS) await this.source.query(sql, [gateId]);
  }

  /** Returns why an approved call may not be made; null where it may. */
  async refusalOf(gateId: string): Promise<CallReason | null> {
    const [row] = await this.source.query<{ reason: CallReason | null }[]>(
      `SELECT CASE
         WHEN s.id IS NULL OR g.retired_at IS NOT NULL OR a.granted_at IS DISTINCT FROM ap.granted_at
           OR a.credential_set_id IS DISTINCT FROM ap.credential_set_id THEN 'not_granted'
         WHEN t.hash IS DISTINCT FROM ap.tool_hash THEN 'tool_changed'
         WHEN ap.issue_id IS NOT NULL AND i.id IS NULL THEN 'deleted'
         WHEN i.assigned_agent_id IS DISTINCT FROM ap.agent_id AND ap.issue_id IS NOT NULL THEN 'reassigned'
         WHEN i.status IN ('Resolved', 'Closed') THEN lower(i.status)
         ELSE coalesce(${SERVER_REFUSAL}, ${TOOL_REFUSAL}) END AS reason
       FROM tool_approvals ap CROSS JOIN agent_halt h JOIN agents g ON g.id = ap.agent_id
       LEFT JOIN issues i ON i.id = ap.issue_id LEFT JOIN installed_servers s ON s.id = ap.server_id
       LEFT JOIN ${ACCESS} ON true
       LEFT ${CREDENTIAL_SET}
       LEFT JOIN server_tools t ON t.server_id = s.id AND t.name = ap.tool
       WHERE ap.gate_id = $1 AND ap.phase = 'executing'`,
      [gateId],
    );
    return row ? row.reason : 'deleted';
  }
}

type Begin = (send: () => void) => Promise<void>;

/** Connections of the pool that these transactions hold at once: people approve one call at a time. */
const AT_ONCE = 2;

/**
 * The moment at which an approved call begins (contract §5.7). In one transaction it holds off whatever would forbid the
 * call, looks whether it may be made, and sends it. So no call begins after the commit that revoked its grant, changed
 * its tool, disabled its server or agent, halted all agents, or took its issue away.
 */
@Injectable()
export class ApprovedCallStartService {
  private readonly places = new Semaphore(AT_ONCE);

  constructor(
    private readonly transactions: TransactionsService,
    private readonly calls: ApprovedCallRightsRepository,
  ) {}

  /** Returns what begins a call that was approved. @param outer looks at its lease too, where it has one */
  beginOf(gateId: string, outer?: Begin): Begin {
    // Without this, the look at the lease would join the transaction of this moment.
    const outside = outer && AsyncResource.bind(outer);
    return (send) => this.places.run(() => this.enter(gateId, outside ? () => outside(send) : send));
  }

  /** A transaction that fails after the call was sent is not run again: the call must not be sent twice. */
  private async enter(gateId: string, send: () => Promise<void> | void): Promise<void> {
    let isSent = false;
    try {
      await this.transactions.run(async () => {
        if (isSent) return;
        await this.calls.holdOff(gateId);
        // A statement of its own: it has to see what was committed before the locks were taken.
        const reason = await this.calls.refusalOf(gateId);
        if (reason !== null) throw new ApprovalOutdated(gateId, reason);
        await send();
        isSent = true;
        // The locks are released after the call has been handed to its connection.
        await nextTurn();
      });
    } catch (error) {
      if (!isSent) throw error;
    }
  }
}
