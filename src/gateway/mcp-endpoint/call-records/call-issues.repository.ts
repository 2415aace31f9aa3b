import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';

@Injectable()
export class CallIssuesRepository {
  constructor(private readonly database: Database) {}

  /** The issue that the agent works on, where its live leases tell exactly one. */
  async findIssueOf(agentId: string): Promise<string | null> {
    const rows = await this.database.prepared<{ id: string }>('call-issues.find', LEASED, [agentId]);
    return rows.length === 1 ? rows[0]!.id : null;
  }
}

const LEASED = `SELECT issue_id AS id FROM issue_leases WHERE agent_id = $1 AND expires_at > now() LIMIT 2`;
