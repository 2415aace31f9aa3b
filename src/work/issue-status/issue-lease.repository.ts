import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Raw, Repository } from 'typeorm';
import { isOverBudget } from '../../agents/agent-failures-over-budget-and-why.service.js';
import { prepared } from '../../platform/database/service.client.js';
import { seenByAgent } from '../projects/visibility.js';
import { type BriefFingerprint, fingerprintOf } from './brief-changes.js';
import type { IssueKey } from './issue-row-and-references.js';
import type { Status } from './issue-status.js';
import { ENDED, expiryOf, goodLeases, MEASURED } from './lease-conditions-lengths-and-usage.repository.js';
import { IssueLease } from './issue-lease.entities.js';

/** The lease of an issue: `live` until it runs out, `ended` for good by a change of status or assignee. */
export interface LeaseRow {
  agentId: string;
  token: number;
  live: boolean;
  ended: boolean;
  /** What ended it, where its agent may get the issue back. */
  endedAs: EndedAs | null;
}

/** What ends a lease for as long as it lasts. */
export type EndedAs = 'paused' | 'waiting';

/** A lease that an agent has just got or renewed. */
export interface GivenLease {
  issueId: string;
  token: number;
  expiresAt: Date;
}

/** A lease as an agent names it. */
export interface NamedLease {
  issueId: string;
  token: number;
}

/** What the agent of a lease has received of the brief, and the brief now. */
export interface HeardBrief {
  issueId: string;
  heard: BriefFingerprint | null;
  present: BriefFingerprint;
}

/** The brief that an agent has just received, and what it had before. */
type TakenBrief = Omit<HeardBrief, 'issueId'>;

/** A lease that was renewed. */
export type RenewedLease = GivenLease & HeardBrief;

/** The state of an issue that an agent believes it holds. */
export interface StandingRow {
  id: string;
  status: Status;
  paused: boolean;
  mine: boolean;
  /** Whether a budget that is used up stops it. */
  overBudget: boolean;
  /** Whether another process of the worker got the lease from the one that held this token. */
  takenOver: boolean;
  /** What ended the agent's lease, where no lease came after it. */
  endedAs: EndedAs | null;
}

/** Condition: a lease has not run out, by the database's clock. */
const IS_LIVE = Raw((column) => `${column} > now()`);

/** How many tokens of a lease are remembered whose process lost it to another one. */
const REMEMBERED_TOKENS = 100;

const OF_WORKER = prepared(
  'leases.of-worker',
  `
  SELECT issue_id AS "issueId", token::int AS token FROM issue_leases WHERE agent_id = $1 AND worker = $2
  UNION ALL SELECT issue_id, token::int FROM deleted_leases WHERE agent_id = $1 AND worker = $2`,
);

/** Leases, measured by the database's clock alone (contract §7), in the statements that stay SQL (decision 0053). */
@Injectable()
export class IssueLeaseRepository extends Repository<IssueLease> {
  constructor(@InjectDataSource() source: DataSource) {
    super(IssueLease, source.manager);
  }

  /** SQL: the database's clock. Reads the lease of an issue and locks it: its token stays the newest until the transaction ends. */
  async lock(issueId: string): Promise<LeaseRow | null> {
    const [row] = await this.query<LeaseRow[]>(
      `SELECT agent_id AS "agentId", token::int AS token, coalesce(expires_at > now(), false) AS live, expires_at IS NULL AS ended,
              CASE WHEN expires_at IS NULL THEN ended_as END AS "endedAs"
       FROM issue_leases WHERE issue_id = $1 FOR NO KEY UPDATE`,
      [issueId],
    );
    return row ?? null;
  }

  /**
   * SQL: every heartbeat. Renews the leases that still belong to their worker: the newest of an issue that is InProgress, assigned to the
   * agent and in a project that it sees. A lease that ran out counts while no worker has taken it over.
   * @param seconds how long they last; a lease that was taken over MCP lasts as long as it did when it was taken
   * @param worker who holds them from now on; null leaves that as it is
   */
  async renew(
    agentId: string,
    named: NamedLease[],
    seconds: number,
    worker: string | null,
  ): Promise<RenewedLease[]> {
    const [rows] = await this.query<[RenewedLease[], number]>(
      `UPDATE issue_leases l
       SET ${MEASURED}, worker = coalesce($5, l.worker), mcp_confirmed = true,
           expires_at = ${expiryOf('$4')}
       FROM unnest($2::uuid[], $3::bigint[]) AS named(issue_id, token), issues i, projects p
       WHERE l.issue_id = named.issue_id AND l.token = named.token AND ${goodLeases('$1')}
       RETURNING l.issue_id AS "issueId", l.token::int AS token, l.expires_at AS "expiresAt", l.heard,
                 ${fingerprintOf('$1')} AS present`,
      [agentId, named.map(({ issueId }) => issueId), named.map(({ token }) => token), seconds, worker],
    );
    return rows;
  }

  /** SQL: counts on what the rows have. Gives the leases of a worker new tokens. The old ones are remembered, so that their process learns why it lost them. */
  async takeOver(agentId: string, worker: string): Promise<void> {
    await this.query(
      `UPDATE issue_leases SET token = token + 1, taken_over = (token || taken_over)[1:${REMEMBERED_TOKENS}]
       WHERE agent_id = $1 AND worker = $2 AND expires_at IS NOT NULL`,
      [agentId, worker],
    );
  }

  /**
   * SQL: two tables, by every heartbeat. The leases that a worker has to hear of: those that it holds, and those that ended, also because their issue was
   * deleted, and were not reported to it.
   */
  findOfWorker(agentId: string, worker: string): Promise<NamedLease[]> {
    return this.query<NamedLease[]>(OF_WORKER, [agentId, worker]);
  }

  /** SQL: two tables in one statement. The worker has heard that its leases of these issues ended. */
  async forget(agentId: string, worker: string, issueIds: string[]): Promise<void> {
    await this.query(
      `WITH deleted AS (
         DELETE FROM deleted_leases WHERE agent_id = $1 AND worker = $2 AND issue_id = ANY($3::uuid[]))
       UPDATE issue_leases SET worker = NULL WHERE agent_id = $1 AND worker = $2 AND issue_id = ANY($3::uuid[])`,
      [agentId, worker, issueIds],
    );
  }

  /** SQL: the fingerprint is made there. Returns what the agent has received of the briefs of issues that it holds. */
  findHeard(agentId: string, issueIds: string[]): Promise<HeardBrief[]> {
    return this.query<HeardBrief[]>(
      `SELECT l.issue_id AS "issueId", l.heard, ${fingerprintOf('$1')} AS present
       FROM issue_leases l JOIN issues i ON i.id = l.issue_id WHERE l.issue_id = ANY($2::uuid[]) AND l.agent_id = $1`,
      [agentId, issueIds],
    );
  }

  /** SQL: the fingerprint is made there. Marks the fields that an agent has changed itself as received by it. */
  async noteOwn(agentId: string, issueId: string, fields: string[]): Promise<void> {
    await this.query(
      `UPDATE issue_leases l SET heard = l.heard || own.fields
       FROM (SELECT coalesce(jsonb_object_agg(key, value), '{}') AS fields
             FROM issues i CROSS JOIN jsonb_each(${fingerprintOf('$1')}) WHERE i.id = $2 AND key = ANY($3::text[])) AS own
       WHERE l.issue_id = $2 AND l.agent_id = $1`,
      [agentId, issueId, fields],
    );
  }

  /** SQL: before and after in one statement. Marks the brief of an issue as received by its agent. Returns what that had received before; null if no news. */
  async takeBrief(agentId: string, issueId: string): Promise<TakenBrief | null> {
    const [[row]] = await this.query<[TakenBrief[], number]>(
      `UPDATE issue_leases l SET heard = brief.present
       FROM (SELECT ${fingerprintOf('$1')} AS present FROM issues i WHERE i.id = $2) AS brief, issue_leases before
       WHERE l.issue_id = $2 AND before.issue_id = $2 AND l.agent_id = $1 AND l.heard IS DISTINCT FROM brief.present
       RETURNING before.heard, l.heard AS present`,
      [agentId, issueId],
    );
    return row ?? null;
  }

  /** SQL: measures by the database's clock. Ends the leases of these issues for good. */
  async end(issueIds: string[], as: EndedAs | null): Promise<void> {
    await this.query(
      `UPDATE issue_leases l SET ${ENDED}, ended_as = $2 WHERE issue_id = ANY($1::uuid[]) AND expires_at IS NOT NULL`,
      [issueIds, as],
    );
  }

  countLive(agentId: string): Promise<number> {
    return this.countBy({ agentId, expiresAt: IS_LIVE });
  }

  /** The issue of the agent's only live lease; null where it has none, or several. */
  async onlyLiveOf(agentId: string): Promise<string | null> {
    const live = await this.find({
      select: { issueId: true },
      where: { agentId, expiresAt: IS_LIVE },
      take: 2,
    });
    return live.length === 1 ? live[0]!.issueId : null;
  }

  /** SQL: many rows, with visibility. The issues that these keys name, of those that the agent sees. */
  findByKeys(agentId: string, keys: IssueKey[]): Promise<{ key: string; id: string }[]> {
    return this.query(
      `SELECT p.key || '-' || i.number AS key, i.id
       FROM unnest($2::text[], $3::int[]) AS named(project_key, number)
       JOIN projects p ON p.key = named.project_key
       JOIN issues i ON i.project_id = p.id AND i.number = named.number
       WHERE ${seenByAgent('p', '$1')}`,
      [agentId, keys.map(({ projectKey }) => projectKey), keys.map(({ number }) => number)],
    );
  }

  /** SQL: many rows, by every heartbeat. The state of each of these issues that the agent sees. */
  findStandings(agentId: string, held: NamedLease[]): Promise<StandingRow[]> {
    return this.query<StandingRow[]>(
      `SELECT i.id, i.status, i.paused, i.assigned_agent_id IS NOT DISTINCT FROM $1 AS mine,
              ${isOverBudget('$1')} OR ${isOverBudget('i.project_id')} OR ${isOverBudget('i.id')} AS "overBudget",
              coalesce(held.token = ANY(l.taken_over), false) AS "takenOver",
              CASE WHEN l.agent_id = $1 AND l.expires_at IS NULL THEN l.ended_as END AS "endedAs"
       FROM unnest($2::uuid[], $3::bigint[]) AS held(issue_id, token)
       JOIN issues i ON i.id = held.issue_id JOIN projects p ON p.id = i.project_id
       LEFT JOIN issue_leases l ON l.issue_id = i.id WHERE ${seenByAgent('p', '$1')}`,
      [agentId, held.map(({ issueId }) => issueId), held.map(({ token }) => token)],
    );
  }
}
