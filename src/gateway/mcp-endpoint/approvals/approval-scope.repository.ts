import { Injectable } from '@nestjs/common';
import { effectiveAccess } from '../../../mcp/access/effective-access.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import type { Actor } from '../../../platform/journal/journal-context.js';
import { APPROVED, type CallToApprove } from './approval-phases.repository.js';

/** Reads which approvals hold for further calls: those with `scope: "issue"` (contract §5.7). */
@Injectable()
export class ApprovalScopeRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns who approved the tool for all calls of the agent on the issue, while grant, credentials and definition are the same. */
  approverFor({ agentId, issueId, serverId, tool }: CallToApprove): Promise<Actor | null> {
    return this.database.row<Actor>(
      `SELECT g.closed_by_type AS type, g.closed_by_id AS id, g.closed_by_name AS name FROM tool_approvals ap JOIN gates g ON g.id = ap.gate_id
       JOIN LATERAL (${effectiveAccess('ap.agent_id', 'ap.server_id')}) a ON a.granted_at = ap.granted_at
         AND a.credential_set_id IS NOT DISTINCT FROM ap.credential_set_id
       JOIN server_tools t ON t.server_id = ap.server_id AND t.name = ap.tool AND t.hash = ap.tool_hash
       WHERE ap.issue_id = $1 AND ap.agent_id = $2 AND ap.server_id = $3 AND ap.tool = $4
         AND ${APPROVED} AND g.answer ->> 'scope' = 'issue' LIMIT 1`,
      [issueId, agentId, serverId, tool],
    );
  }
}
