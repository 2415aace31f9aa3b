import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { prepared } from '../../platform/database/service.client.js';
import { fingerprintOf } from '../issue-status/brief-changes.js';
import type { GivenLease } from '../issue-status/issue-lease.repository.js';
import { CANDIDATES } from '../issue-status/lease-conditions.js';

/** An issue that can be handed to an agent: Open, or InProgress without a live lease. */
export interface CandidateRow {
  id: string;
  projectId: string;
  status: 'Open' | 'InProgress';
  paused: boolean;
  attempts: number;
  /** Whether it was in progress and its lease ran out. */
  ranOut: boolean;
}

const FIND_CANDIDATES = prepared('leases.candidates', CANDIDATES);

/** `$1` is the agent, `$2` the issues, `$3` the seconds, `$4` the worker. What another agent knew is kept for it. */
const GRANT = prepared(
  'leases.grant',
  `
  WITH before AS (
    INSERT INTO issue_leases_before (issue_id, agent_id, told_of, heard)
    SELECT issue_id, agent_id, told_of, heard FROM issue_leases WHERE issue_id = ANY($2::uuid[]) AND agent_id <> $1
    ON CONFLICT (issue_id, agent_id) DO UPDATE SET told_of = excluded.told_of, heard = excluded.heard)
  INSERT INTO issue_leases AS l (issue_id, agent_id, token, expires_at, worker, heard, told_of, measured_at)
  SELECT i.id, $1, 1, now() + make_interval(secs => $3), $4::text, coalesce(mine.heard, ${fingerprintOf('$1')}),
         coalesce(mine.told_of, CASE WHEN $4::text IS NOT NULL THEN pg_current_snapshot() END), now()
  FROM issues i LEFT JOIN issue_leases_before mine ON mine.issue_id = i.id AND mine.agent_id = $1
  WHERE i.id = ANY($2::uuid[])
  ON CONFLICT (issue_id) DO UPDATE
  SET agent_id = $1, token = l.token + 1, expires_at = excluded.expires_at, worker = excluded.worker, measured_at = now(),
      heard = coalesce(CASE WHEN l.agent_id = $1 THEN l.heard END, excluded.heard),
      told_of = coalesce(CASE WHEN l.agent_id = $1 THEN l.told_of END, excluded.told_of)
  RETURNING issue_id AS "issueId", expires_at AS "expiresAt", token::int AS token`,
);

/** Which issues are handed to an agent, and their new leases (contract §7.1). */
@Injectable()
export class PickUpsRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /**
   * SQL: skips locked rows, by every claim. Locks up to `limit` issues for the agent: first those in progress without a live lease, then the open ones, each
   * by priority, then age. Rows that another transaction holds are skipped, so no worker waits for another.
   */
  lockCandidates(agentId: string, limit: number, except: string[]): Promise<CandidateRow[]> {
    return this.source.query<CandidateRow[]>(FIND_CANDIDATES, [agentId, limit, except]);
  }

  /**
   * SQL: the database's clock. Ends those of these leases that have run out. A late token that renews one at the same moment needs the same row:
   * the first transaction wins. @returns the issues whose lease ended
   */
  async endRunOut(issueIds: string[]): Promise<string[]> {
    const [ended] = await this.source.query<[{ issueId: string }[], number]>(
      `UPDATE issue_leases l SET expires_at = NULL, measured_at = NULL, ended_as = NULL
       WHERE issue_id = ANY($1::uuid[]) AND expires_at <= now()
       RETURNING issue_id AS "issueId"`,
      [issueIds],
    );
    return ended.map(({ issueId }) => issueId);
  }

  /**
   * SQL: two tables in one statement, by every claim. Gives each issue a new lease, whose token is greater than every earlier one. An agent that had the issue before knows
   * of it what it knew at its last turn, also where another agent had it in between. For another one the brief counts as
   * received, and so do the comments where the worker is named, because its brief holds them.
   */
  grant(agentId: string, issueIds: string[], seconds: number, worker: string | null): Promise<GivenLease[]> {
    return this.source.query(GRANT, [agentId, issueIds, seconds, worker]);
  }
}
