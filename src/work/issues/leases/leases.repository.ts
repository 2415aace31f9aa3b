import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { CANDIDATES, goodLeases } from './lease-conditions.js';
import { fingerprintOf, type BriefFingerprint } from './brief-changes.js';
import { isOverBudget } from './budget-conditions.js';
import { giveBackFor } from './given-back.js';
import { ENDED, MEASURED } from './lease-wall-time.js';
import { seenByAgent } from '../../projects/visibility.js';
import type { IssueKey } from '../issue-reference.js';
import type { Status } from '../status/issue-status.js';

/** The lease of an issue: `live` until it runs out, `ended` for good by a change of status or assignee. */
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

export interface GivenLease {
  issueId: string;
  token: number;
  expiresAt: Date;
}

/** A lease that was renewed, with what its worker has received of the brief, and the brief now. */
export interface RenewedLease extends GivenLease {
  heard: BriefFingerprint | null;
  present: BriefFingerprint;
}

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

/** The state of an issue that an agent believes it holds. */
export interface StandingRow {
  id: string;
  status: Status;
  paused: boolean;
  mine: boolean;
  /** Whether a budget that is used up stops it. */
  overBudget: boolean;
}

/** Leases, measured by the database's clock alone (contract §7). */
@Injectable()
export class LeasesRepository {
  constructor(private readonly database: DatabaseService) {}

  find(issueId: string): Promise<LeaseRow | null> {
    return this.database.row<LeaseRow>(
      `SELECT agent_id AS "agentId", token::int AS token, coalesce(expires_at > now(), false) AS live, expires_at IS NULL AS ended
       FROM issue_leases WHERE issue_id = $1`,
      [issueId],
    );
  }

  /**
   * Renews the leases that still belong to their worker: the newest of an issue that is InProgress, assigned to the
   * agent and in a project that it sees. A lease that ran out counts while no worker has taken it over.
   * @param worker who holds them from now on; null leaves that as it is
   */
  renew(
    agentId: string,
    named: NamedLease[],
    seconds: number,
    worker: string | null,
  ): Promise<RenewedLease[]> {
    return this.database.rows<RenewedLease>(
      `UPDATE issue_leases l
       SET ${MEASURED}, expires_at = now() + make_interval(secs => $4), worker = coalesce($5, l.worker)
       FROM unnest($2::uuid[], $3::bigint[]) AS named(issue_id, token), issues i, projects p
       WHERE l.issue_id = named.issue_id AND l.token = named.token AND ${goodLeases('$1')}
       RETURNING l.issue_id AS "issueId", l.token::int AS token, l.expires_at AS "expiresAt", l.heard,
                 ${fingerprintOf('$1')} AS present`,
      [agentId, named.map(({ issueId }) => issueId), named.map(({ token }) => token), seconds, worker],
    );
  }

  /** The leases that a worker has to hear of: those that it holds, and those that ended and were not reported to it. */
  findOfWorker(agentId: string, worker: string): Promise<NamedLease[]> {
    return this.database.rows<NamedLease>(
      `SELECT issue_id AS "issueId", token::int AS token FROM issue_leases WHERE agent_id = $1 AND worker = $2`,
      [agentId, worker],
    );
  }

  /** The worker has heard that its leases of these issues ended. */
  async forget(agentId: string, worker: string, issueIds: string[]): Promise<void> {
    await this.database.change(
      `UPDATE issue_leases SET worker = NULL WHERE agent_id = $1 AND worker = $2 AND issue_id = ANY($3::uuid[])`,
      [agentId, worker, issueIds],
    );
  }

  /** Marks the brief of an issue as received by its agent. Returns what that had received before; null if no news. */
  takeBrief(
    agentId: string,
    issueId: string,
  ): Promise<{ heard: BriefFingerprint | null; present: BriefFingerprint } | null> {
    return this.database.row(
      `UPDATE issue_leases l SET heard = brief.present
       FROM (SELECT ${fingerprintOf('$1')} AS present FROM issues i WHERE i.id = $2) AS brief, issue_leases before
       WHERE l.issue_id = $2 AND before.issue_id = $2 AND l.agent_id = $1 AND l.heard IS DISTINCT FROM brief.present
       RETURNING before.heard, l.heard AS present`,
      [agentId, issueId],
    );
  }

  /** Ends the leases of these issues for good. */
  async end(issueIds: string[]): Promise<void> {
    await this.database.change(
      `UPDATE issue_leases l SET ${ENDED} WHERE issue_id = ANY($1::uuid[]) AND expires_at IS NOT NULL`,
      [issueIds],
    );
  }

  async countLive(agentId: string): Promise<number> {
    const row = await this.database.row<{ live: number }>(
      `SELECT count(*)::int AS live FROM issue_leases WHERE agent_id = $1 AND expires_at > now()`,
      [agentId],
    );
    return row!.live;
  }

  /** The issue of the agent's only live lease; null where it has none, or several. */
  async onlyLiveOf(agentId: string): Promise<string | null> {
    const live = await this.database.rows<{ issueId: string }>(
      `SELECT issue_id AS "issueId" FROM issue_leases WHERE agent_id = $1 AND expires_at > now() LIMIT 2`,
      [agentId],
    );
    return live.length === 1 ? live[0]!.issueId : null;
  }

  /**
   * Locks up to `limit` issues for the agent: first those in progress without a live lease, then the open ones, each
   * by priority, then age. Rows that another transaction holds are skipped, so no worker waits for another.
   */
  lockCandidates(agentId: string, limit: number, except: string[]): Promise<CandidateRow[]> {
    return this.database.prepared<CandidateRow>('leases.candidates', CANDIDATES, [agentId, limit, except]);
  }

  /**
   * Ends those of these leases that have run out. A late token that renews one at the same moment needs the same row:
   * the first transaction wins. @returns the issues whose lease ended
   */
  async endRunOut(issueIds: string[]): Promise<string[]> {
    const ended = await this.database.rows<{ issueId: string }>(
      `UPDATE issue_leases l SET expires_at = NULL, measured_at = NULL WHERE issue_id = ANY($1::uuid[]) AND expires_at <= now()
       RETURNING issue_id AS "issueId"`,
      [issueIds],
    );
    return ended.map(({ issueId }) => issueId);
  }

  /**
   * Gives each issue a new lease, whose token is greater than every earlier one. The brief counts as received. So do the
   * comments where the worker is named, because its brief holds them.
   */
  grant(agentId: string, issueIds: string[], seconds: number, worker: string | null): Promise<GivenLease[]> {
    return this.database.rows(
      `INSERT INTO issue_leases AS l (issue_id, agent_id, token, expires_at, worker, heard, told_of, measured_at)
       SELECT i.id, $1, 1, now() + make_interval(secs => $3), $4::text, ${fingerprintOf('$1')},
              CASE WHEN $4::text IS NOT NULL THEN pg_current_snapshot() END, now()
       FROM issues i WHERE i.id = ANY($2::uuid[])
       ON CONFLICT (issue_id) DO UPDATE
       SET agent_id = $1, token = l.token + 1, expires_at = excluded.expires_at, worker = excluded.worker,
           heard = excluded.heard, measured_at = now(), told_of = coalesce(excluded.told_of, CASE WHEN l.agent_id = $1 THEN l.told_of END)
       RETURNING issue_id AS "issueId", expires_at AS "expiresAt", token::int AS token`,
      [agentId, issueIds, seconds, worker],
    );
  }

  /** Counts a failed attempt for each issue. `givenBackBy` does not get them for a while. */
  async countAttempts(issueIds: string[], givenBackBy: string | null): Promise<void> {
    await this.database.change(
      `UPDATE issues SET attempts = attempts + 1, ${giveBackFor('$2')} WHERE id = ANY($1::uuid[])`,
      [issueIds, givenBackBy],
    );
  }

  /** The issues that these keys name, of those that the agent sees. */
  findByKeys(agentId: string, keys: IssueKey[]): Promise<{ key: string; id: string }[]> {
    return this.database.rows(
      `SELECT p.key || '-' || i.number AS key, i.id
       FROM unnest($2::text[], $3::int[]) AS named(project_key, number)
       JOIN projects p ON p.key = named.project_key
       JOIN issues i ON i.project_id = p.id AND i.number = named.number
       WHERE ${seenByAgent('p', '$1')}`,
      [agentId, keys.map(({ projectKey }) => projectKey), keys.map(({ number }) => number)],
    );
  }

  /** The state of each of these issues that the agent sees. */
  findStandings(agentId: string, issueIds: string[]): Promise<StandingRow[]> {
    return this.database.rows<StandingRow>(
      `SELECT i.id, i.status, i.paused, i.assigned_agent_id IS NOT DISTINCT FROM $1 AS mine,
              ${isOverBudget('$1')} OR ${isOverBudget('i.project_id')} OR ${isOverBudget('i.id')} AS "overBudget"
       FROM issues i JOIN projects p ON p.id = i.project_id WHERE i.id = ANY($2::uuid[]) AND ${seenByAgent('p', '$1')}`,
      [agentId, issueIds],
    );
  }
}
