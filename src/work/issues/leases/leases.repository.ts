import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { Status } from '../issue-status.js';

/** The lease of an issue. `live` until it runs out; `ended` by a change of status or assignee, never to return. */
export interface LeaseRow {
  agentId: string;
  token: number;
  live: boolean;
  ended: boolean;
}

/** A lease as an agent names it. */
export interface NamedLease {
  issueId: string;
  token: number;
}

export interface RenewedLease {
  issueId: string;
  expiresAt: Date;
}

/** An issue that an agent may be given: open, or in progress without a living lease. */
export interface CandidateRow {
  id: string;
  projectId: string;
  status: 'Open' | 'InProgress';
  paused: boolean;
  attempts: number;
  /** It was in progress and its lease ran out. */
  ranOut: boolean;
}

/** Where an issue stands that an agent believes to have. */
export interface StandingRow {
  id: string;
  status: Status;
  paused: boolean;
  mine: boolean;
}

/** Leases by the database's clock alone (spec §7). */
@Injectable()
export class LeasesRepository {
  constructor(private readonly database: Database) {}

  find(issueId: string): Promise<LeaseRow | null> {
    return this.database.row<LeaseRow>(
      `SELECT agent_id AS "agentId", token::int AS token, coalesce(expires_at > now(), false) AS live, expires_at IS NULL AS ended
       FROM issue_leases WHERE issue_id = $1`,
      [issueId],
    );
  }

  /**
   * Leases that still belong to their worker: the newest of an issue in progress that is the agent's, in a project
   * that it sees. A late one counts.
   */
  renew(agentId: string, named: NamedLease[], seconds: number): Promise<RenewedLease[]> {
    return this.database.rows<RenewedLease>(
      `UPDATE issue_leases l SET expires_at = now() + make_interval(secs => $4)
       FROM unnest($2::uuid[], $3::bigint[]) AS named(issue_id, token), issues i, projects p
       WHERE l.issue_id = named.issue_id AND l.token = named.token AND l.agent_id = $1 AND l.expires_at IS NOT NULL
         AND i.id = l.issue_id AND i.assigned_agent_id = $1 AND i.status = 'InProgress'
         AND p.id = i.project_id AND ${SEEN_BY_AGENT}
       RETURNING l.issue_id AS "issueId", l.expires_at AS "expiresAt"`,
      [agentId, named.map(({ issueId }) => issueId), named.map(({ token }) => token), seconds],
    );
  }

  async end(issueId: string): Promise<void> {
    await this.database.change('UPDATE issue_leases SET expires_at = NULL WHERE issue_id = $1', [issueId]);
  }

  async countLive(agentId: string): Promise<number> {
    const row = await this.database.row<{ live: number }>(
      `SELECT count(*)::int AS live FROM issue_leases WHERE agent_id = $1 AND expires_at > now()`,
      [agentId],
    );
    return row!.live;
  }

  /**
   * Holds up to `limit` issues for the agent: first what is in progress without a living lease, then what is
   * open, by priority, then age. Rows that someone else holds are passed over, so nobody waits for anybody.
   */
  lockCandidates(agentId: string, limit: number, but: string[]): Promise<CandidateRow[]> {
    return this.database.prepared<CandidateRow>('leases.candidates', CANDIDATES, [agentId, limit, but]);
  }

  /**
   * Ends those of these leases that have run out. One that a late token renews at the same moment stays, since
   * both need its row: whoever comes first has it. @returns the issues whose lease ended
   */
  async endRunOut(issueIds: string[]): Promise<string[]> {
    const ended = await this.database.rows<{ issueId: string }>(
      `UPDATE issue_leases SET expires_at = NULL WHERE issue_id = ANY($1::uuid[]) AND expires_at <= now()
       RETURNING issue_id AS "issueId"`,
      [issueIds],
    );
    return ended.map(({ issueId }) => issueId);
  }

  /** Gives each issue a new lease; its token is greater than all before it. */
  grant(agentId: string, issueIds: string[], seconds: number): Promise<(RenewedLease & { token: number })[]> {
    return this.database.rows(
      `INSERT INTO issue_leases AS l (issue_id, agent_id, token, expires_at)
       SELECT id, $1, 1, now() + make_interval(secs => $3) FROM unnest($2::uuid[]) AS given(id)
       ON CONFLICT (issue_id) DO UPDATE
       SET agent_id = $1, token = l.token + 1, expires_at = excluded.expires_at,
           told_of = CASE WHEN l.agent_id = $1 THEN l.told_of END
       RETURNING issue_id AS "issueId", expires_at AS "expiresAt", token::int AS token`,
      [agentId, issueIds, seconds],
    );
  }

  /** One more failed attempt each; `givenBackBy` keeps that agent off for a minute, doubling up to an hour. */
  async countAttempts(issueIds: string[], givenBackBy: string | null): Promise<void> {
    await this.database.change(
      `UPDATE issues SET attempts = attempts + 1, given_back_by = $2,
         given_back_until = CASE WHEN $2::uuid IS NOT NULL
           THEN now() + least(interval '1 hour', interval '1 minute' * power(2, least(attempts, 10))) END
       WHERE id = ANY($1::uuid[])`,
      [issueIds, givenBackBy],
    );
  }

  /** What stands of each issue that the agent names and can see. */
  findStandings(agentId: string, issueIds: string[]): Promise<StandingRow[]> {
    return this.database.rows<StandingRow>(
      `SELECT i.id, i.status, i.paused, i.assigned_agent_id IS NOT DISTINCT FROM $1 AS mine
       FROM issues i JOIN projects p ON p.id = i.project_id WHERE i.id = ANY($2::uuid[]) AND ${SEEN_BY_AGENT}`,
      [agentId, issueIds],
    );
  }
}

const SEEN_BY_AGENT = `
  (p.visibility = 'open' OR EXISTS (SELECT 1 FROM project_members m WHERE m.project_id = p.id AND m.agent_id = $1))`;

const MAY_RUN = `i.status = 'InProgress' AND (lease.expires_at IS NULL OR lease.expires_at <= now())`;
const MAY_START = `i.status = 'Open' AND (i.given_back_by IS DISTINCT FROM $1 OR i.given_back_until <= now())`;

/** Issues `i` of agent `$1` in projects `p` that it sees, with their `lease`. */
const OF_AGENT = `
  issues i JOIN projects p ON p.id = i.project_id LEFT JOIN issue_leases lease ON lease.issue_id = i.id
  WHERE i.assigned_agent_id = $1 AND NOT i.paused AND ${SEEN_BY_AGENT}`;

/** Whether there is anything to give to agent `$1`: two looks, since each has its place in the index. */
export const HAS_CANDIDATE = `
  (EXISTS (SELECT 1 FROM ${OF_AGENT} AND ${MAY_START}) OR EXISTS (SELECT 1 FROM ${OF_AGENT} AND ${MAY_RUN}))`;

const CANDIDATE_COLUMNS = `i.id, i.project_id AS "projectId", i.status, i.paused, i.attempts`;

/** Each part is read from the index in its order, so that a long backlog costs no more than a short one. */
const CANDIDATES = `
  WITH running AS (
    SELECT ${CANDIDATE_COLUMNS}, lease.expires_at IS NOT NULL AS "ranOut"
    FROM ${OF_AGENT} AND ${MAY_RUN} AND i.id <> ALL($3::uuid[])
    ORDER BY i.priority DESC, i.created_at, i.id LIMIT $2 FOR NO KEY UPDATE OF i SKIP LOCKED),
  waiting AS (
    SELECT ${CANDIDATE_COLUMNS}, false AS "ranOut"
    FROM ${OF_AGENT} AND ${MAY_START} AND i.id <> ALL($3::uuid[])
    ORDER BY i.priority DESC, i.created_at, i.id LIMIT $2 - (SELECT count(*) FROM running) FOR NO KEY UPDATE OF i SKIP LOCKED)
  SELECT * FROM running UNION ALL SELECT * FROM waiting`;
