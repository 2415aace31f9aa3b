import { Injectable } from '@nestjs/common';
import type { ApproverRole } from '../../../../mcp/access/access.repository.js';
import { effectiveAccess } from '../../../../mcp/access/effective-access.js';
import { DatabaseService } from '../../../../platform/database/database.service.js';

/** What a person should know about a tool that an agent asks to call. */
export interface ApproverAndHints {
  /** The hints that the server gives about the tool. */
  annotations: Record<string, boolean>;
  approverRole: ApproverRole;
}

@Injectable()
export class ApproverAndHintsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns null where the agent has no grant any more, or the server no such tool. */
  find({
    agentId,
    serverId,
    tool,
  }: {
    agentId: string;
    serverId: string;
    tool: string;
  }): Promise<ApproverAndHints | null> {
    return this.database.row<ApproverAndHints>(
      `SELECT a.approver_role AS "approverRole",
         (SELECT coalesce(jsonb_object_agg(key, value), '{}')
          FROM jsonb_each(CASE jsonb_typeof(t.definition -> 'annotations') WHEN 'object'
                          THEN t.definition -> 'annotations' ELSE '{}' END)
          WHERE key IN ('readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint')
            AND jsonb_typeof(value) = 'boolean') AS annotations
       FROM (${effectiveAccess('$1::uuid', '$2::uuid')}) a JOIN server_tools t ON t.server_id = $2 AND t.name = $3`,
      [agentId, serverId, tool],
    );
  }
}
