import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { goodLeases, hasCandidate } from '../../../work/issues/leases/lease-conditions.js';

/** A lease of a waiting worker. */
export interface HeldLease {
  agentId: string;
  issueId: string;
  token: number;
}

const LIVE = `(SELECT count(*)::int FROM issue_leases live WHERE live.agent_id = a.id AND live.expires_at > now())`;

/** What waiting workers wait for, each in one statement for all of them. */
@Injectable()
export class WaitingRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns those of these agents that could get an issue now, with how many they may get. */
  findReady(agentIds: string[]): Promise<{ agentId: string; free: number }[]> {
    return this.database.rows(
      `SELECT a.id AS "agentId", a.max_concurrent_issues - ${LIVE} AS free
       FROM agents a CROSS JOIN agent_halt halt
       WHERE a.id = ANY($1::uuid[]) AND NOT halt.halted AND NOT a.disabled AND ${LIVE} < a.max_concurrent_issues
         AND ${hasCandidate('a.id')}`,
      [agentIds],
    );
  }

  /** Returns those of these leases that are over, or whose agent must stop all work. */
  findOver(leases: HeldLease[]): Promise<HeldLease[]> {
    return this.database.rows<HeldLease>(
      `SELECT held.agent_id AS "agentId", held.issue_id AS "issueId", held.token::int AS token
       FROM unnest($1::uuid[], $2::uuid[], $3::bigint[]) AS held(agent_id, issue_id, token)
       JOIN agents a ON a.id = held.agent_id CROSS JOIN agent_halt halt
       WHERE halt.halted OR a.disabled OR NOT EXISTS (
         SELECT 1 FROM issue_leases l, issues i, projects p
         WHERE l.issue_id = held.issue_id AND l.token = held.token AND ${goodLeases('held.agent_id')})`,
      [
        leases.map(({ agentId }) => agentId),
        leases.map(({ issueId }) => issueId),
        leases.map(({ token }) => token),
      ],
    );
  }
}
