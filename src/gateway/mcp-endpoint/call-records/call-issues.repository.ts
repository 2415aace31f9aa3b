import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';

@Injectable()
export class CallIssuesRepository {
  constructor(private readonly database: Database) {}

  /** The issue that each agent works on, by agent; without those whose live leases do not tell exactly one. */
  async findIssuesOf(agentIds: string[]): Promise<Map<string, string>> {
    const rows = await this.database.prepared<{ agentId: string; id: string }>('call-issues.find', LEASED, [
      agentIds,
    ]);
    return new Map(rows.map(({ agentId, id }) => [agentId, id]));
  }
}

const LEASED = `
  SELECT agent_id AS "agentId", min(issue_id::text) AS id FROM issue_leases
  WHERE agent_id = ANY($1::uuid[]) AND expires_at > now() GROUP BY agent_id HAVING count(*) = 1`;
