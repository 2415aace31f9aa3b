import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';
import type { Status } from '../status/issue-status.js';

/** How an agent ended its lease: with a status that it asked for, or by releasing the issue. */
export type Outcome = Status | 'released';

/** The end of a lease. `request` and `response` are null where a PUT ended it. */
export interface LeaseFinish {
  issueId: string;
  token: number;
  agentId: string;
  outcome: Outcome;
  /** The request in canonical JSON. */
  request: string | null;
  response: unknown;
}

/** The ends of leases, one row per lease that its own agent ended. */
@Injectable()
export class LeaseFinishesRepository {
  constructor(private readonly database: DatabaseService) {}

  find(issueId: string, token: number, agentId: string): Promise<LeaseFinish | null> {
    return this.database.row<LeaseFinish>(
      `SELECT issue_id AS "issueId", token::int AS token, agent_id AS "agentId", outcome, request, response
       FROM lease_finishes WHERE issue_id = $1 AND token = $2 AND agent_id = $3`,
      [issueId, token, agentId],
    );
  }

  /** Records the end of a lease. Its worker knows of it and gets no stop for it. */
  async insert({ issueId, token, agentId, outcome, request, response }: LeaseFinish): Promise<void> {
    await this.database.change(
      `WITH reported AS (
         UPDATE issue_leases SET worker = NULL WHERE issue_id = $1 AND token = $2 AND worker IS NOT NULL)
       INSERT INTO lease_finishes (issue_id, token, agent_id, outcome, request, response)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (issue_id, token) DO NOTHING`,
      [issueId, token, agentId, outcome, request, response === null ? null : JSON.stringify(response)],
    );
  }
}
