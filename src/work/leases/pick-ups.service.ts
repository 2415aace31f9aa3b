import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import { prepared, unseen } from '../../platform/database/service.client.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { fingerprintOf } from '../issue-status/brief-changes.js';
import {
  AttemptsRepository,
  isLastAttempt,
} from '../issue-status/given-back-issues-and-attempts.repository.js';
import type { GivenLease } from '../issue-status/issue-lease.repository.js';
import type { IssueRow } from '../issue-status/issue-row-and-references.js';
import { Issue } from '../issue-status/issue.entity.js';
import { IssueRepository } from '../issue-status/issue.repository.js';
import {
  CAN_GO_ON,
  canBegin,
  issuesOf,
} from '../issue-status/lease-conditions-lengths-and-usage.repository.js';
import { StatusChangesService } from '../issue-status/status-changes.service.js';

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

const CANDIDATE_COLUMNS = `i.id, i.project_id AS "projectId", i.status, i.paused, i.attempts`;

/** Each part is read from the index in its order, so that a long backlog costs no more than a short one. */
const CANDIDATES = `
  WITH running AS (
    SELECT ${CANDIDATE_COLUMNS}, lease.expires_at IS NOT NULL AS "ranOut"
    FROM ${issuesOf('$1')} AND ${CAN_GO_ON} AND i.id <> ALL($3::uuid[])
    ORDER BY i.priority DESC, i.created_at, i.id LIMIT $2 FOR NO KEY UPDATE OF i SKIP LOCKED),
  waiting AS (
    SELECT ${CANDIDATE_COLUMNS}, false AS "ranOut"
    FROM ${issuesOf('$1')} AND ${canBegin('$1')} AND i.id <> ALL($3::uuid[])
    ORDER BY i.priority DESC, i.created_at, i.id LIMIT $2 - (SELECT count(*) FROM running) FOR NO KEY UPDATE OF i SKIP LOCKED)
  SELECT * FROM running UNION ALL SELECT * FROM waiting`;

const FIND_CANDIDATES = prepared('leases.candidates', CANDIDATES);

const ISSUES = `${unseen('$2::uuid[]')}::uuid[]`;

/** `$1` is the agent, `$2` the issues, `$3` the seconds, `$4` the worker. What another agent knew is kept for it. */
const GRANT = prepared(
  'leases.grant',
  `
  WITH before AS (
    INSERT INTO issue_leases_before (issue_id, agent_id, told_of, heard)
    SELECT issue_id, agent_id, told_of, heard FROM issue_leases WHERE issue_id = ANY(${ISSUES}) AND agent_id <> $1
    ON CONFLICT (issue_id, agent_id) DO UPDATE SET told_of = excluded.told_of, heard = excluded.heard)
  INSERT INTO issue_leases AS l (issue_id, agent_id, token, expires_at, worker, heard, told_of, measured_at)
  SELECT i.id, $1, 1, now() + make_interval(secs => $3), $4::text, coalesce(mine.heard, ${fingerprintOf('$1')}),
         coalesce(mine.told_of, CASE WHEN $4::text IS NOT NULL THEN pg_current_snapshot() END), now()
  FROM issues i LEFT JOIN issue_leases_before mine ON mine.issue_id = i.id AND mine.agent_id = $1
  WHERE i.id = ANY(${ISSUES})
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

/** An issue that was handed to a worker, with the token of its lease. */
export interface PickedUp {
  issue: IssueRow;
  token: number;
  expiresAt: Date;
}

/**
 * Hands issues out (contract §7.1). Callers lock the agent's row, so that the workers of one agent are served one by one
 * and together never get more issues than the agent may have.
 */
@Injectable()
export class PickUpsService {
  constructor(
    private readonly pickUps: PickUpsRepository,
    private readonly attempts: AttemptsRepository,
    @InjectRepository(Issue) private readonly issues: IssueRepository,
    private readonly statusChanges: StatusChangesService,
    private readonly settings: Settings,
    private readonly journal: JournalService,
  ) {}

  /**
   * Hands the agent up to `limit` issues. Those that failed too often go to PendingReview instead.
   * @param worker who gets them, where it is named
   * @param except issues that the worker must stop first
   * @param withheld returns those of some issues that must not be handed out, such as those of a used-up budget
   */
  async pickUp(
    agentId: string,
    limit: number,
    worker: string | null = null,
    except: string[] = [],
    withheld: (candidates: CandidateRow[]) => Promise<string[]> = () => Promise.resolve([]),
  ): Promise<PickedUp[]> {
    const taken: CandidateRow[] = [];
    const kept: string[] = [];
    while (taken.length < limit) {
      const found = await this.pickUps.lockCandidates(agentId, limit - taken.length, [
        ...except,
        ...kept,
        ...taken.map(({ id }) => id),
      ]);
      const back = found.length > 0 ? await withheld(found) : [];
      kept.push(...back);
      const candidates = await this.withoutRenewed(found.filter(({ id }) => !back.includes(id)));
      const exhausted = candidates.filter((candidate) => this.isExhausted(candidate));
      taken.push(...candidates.filter((candidate) => !this.isExhausted(candidate)));
      await this.handToPerson(exhausted);
      if (exhausted.length + back.length === 0) break;
    }
    return taken.length === 0 ? [] : this.give(agentId, taken, worker);
  }

  /** A lease that ran out may have been renewed before its issue was locked; such an issue stays with its worker. */
  private async withoutRenewed(candidates: CandidateRow[]): Promise<CandidateRow[]> {
    const ranOut = candidates.filter((candidate) => candidate.ranOut).map(({ id }) => id);
    if (ranOut.length === 0) return candidates;
    const ended = await this.pickUps.endRunOut(ranOut);
    return candidates.filter((candidate) => !candidate.ranOut || ended.includes(candidate.id));
  }

  private isExhausted(candidate: CandidateRow): boolean {
    return candidate.ranOut && isLastAttempt(candidate, this.settings.maxAttempts);
  }

  private async handToPerson(exhausted: CandidateRow[]): Promise<void> {
    if (exhausted.length === 0) return;
    await this.lose(exhausted);
    await this.statusChanges.apply(exhausted, 'exhaust', 'PendingReview', { cause: 'attempts_exhausted' });
  }

  private async give(agentId: string, taken: CandidateRow[], worker: string | null): Promise<PickedUp[]> {
    await this.lose(taken.filter(({ ranOut }) => ranOut));
    await this.statusChanges.apply(
      taken.filter(({ status }) => status === 'Open'),
      'pickUp',
      'InProgress',
      { cause: 'picked_up' },
    );
    const granted = await this.pickUps.grant(
      agentId,
      taken.map(({ id }) => id),
      this.settings.leaseSeconds,
      worker,
    );
    await this.journal.record(
      ...taken.map(({ id, projectId }) => ({
        type: 'issue.picked_up' as const,
        subject: { type: 'issue', id },
        projectId,
        issueId: id,
        data: { agentId, token: granted.find(({ issueId }) => issueId === id)!.token },
      })),
    );
    const issues = await this.issues.readAll(taken.map(({ id }) => id));
    return taken.map(({ id }) => {
      const { token, expiresAt } = granted.find(({ issueId }) => issueId === id)!;
      return { issue: issues.find((issue) => issue.id === id)!, token, expiresAt };
    });
  }

  /** Counts a failed attempt for each lease that ran out and is taken over, by a worker or a person. */
  private async lose(ranOut: CandidateRow[]): Promise<void> {
    if (ranOut.length === 0) return;
    await this.attempts.count(
      ranOut.map(({ id }) => id),
      null,
    );
    await this.journal.record(
      ...ranOut.map(({ id, projectId }) => ({
        type: 'issue.lease_lost' as const,
        subject: { type: 'issue', id },
        projectId,
        issueId: id,
        data: { cause: 'ran_out' },
      })),
    );
  }
}
