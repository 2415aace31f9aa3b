import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { TransactionsService, TryAgain } from '../../platform/database/transactions.service.js';
import { NotFound } from '../../platform/http/problem.js';
import {
  currentOrigin,
  JournalService,
  type NewJournalEntry,
  SYSTEM,
} from '../../platform/journal/journal.service.js';
import { GraphLockRepository } from '../projects/projects-members-and-graph-lock.repository.js';
import {
  type GateKind,
  InvalidTransition,
  isUnresolved,
  pausedAfter,
  type Standing,
  type Status,
  transitionOf,
  type Trigger,
} from './issue-status.js';
import { IssueDependenciesRepository } from './issue-dependencies.repository.js';
import { IssueLease } from './issue-lease.entities.js';
import { type EndedAs, IssueLeaseRepository } from './issue-lease.repository.js';
import type { LockedIssue } from './issue-row-and-references.js';
import { Issue } from './issue.entity.js';
import { IssueRepository } from './issue.repository.js';

/** Withdraws the gates of issues that end. All other changes of gates are in `work/gates`, above. */
@Injectable()
export class GatesOfEndedIssuesRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /**
   * SQL: before and after in one statement. Withdraws the open gates of issues that are resolved, closed or deleted, and releases those that wait for the end of
   * an approved call. The caller holds the rows of the issues. No worker is to receive them any more.
   * @returns what the journal records
   */
  async withdrawAll(issueIds: string[]): Promise<NewJournalEntry[]> {
    const { type, id, name } = currentOrigin()?.actor ?? SYSTEM;
    const [withdrawn] = await this.source.query<
      [
        {
          id: string;
          kind: GateKind;
          projectId: string;
          issueId: string;
          wasOpen: boolean;
        }[],
        number,
      ]
    >(
      `UPDATE gates g SET holds = false, delivered_at = now(),
         state = CASE before.state WHEN 'open' THEN 'withdrawn' ELSE before.state END,
         closed_at = coalesce(before.closed_at, now()),
         closed_by_type = CASE before.state WHEN 'open' THEN $2 ELSE before.closed_by_type END,
         closed_by_id = CASE before.state WHEN 'open' THEN $3::uuid ELSE before.closed_by_id END,
         closed_by_name = CASE before.state WHEN 'open' THEN $4 ELSE before.closed_by_name END
       FROM (SELECT * FROM gates WHERE issue_id = ANY($1::uuid[]) AND (state = 'open' OR holds) FOR UPDATE) AS before
       WHERE g.id = before.id
       RETURNING g.id, g.kind, g.project_id AS "projectId", g.issue_id AS "issueId", before.state = 'open' AS "wasOpen"`,
      [issueIds, type, id, name],
    );
    return withdrawn
      .filter(({ wasOpen }) => wasOpen)
      .map(({ id: gateId, kind, projectId, issueId }) => ({
        type: 'gate.withdrawn' as const,
        subject: { type: 'gate', id: gateId },
        projectId,
        issueId,
        data: { gateId, kind },
      }));
  }
}

/** An issue whose status is to change; the caller holds its row. */
export interface Subject extends Standing {
  id: string;
  projectId: string;
}

/** What a transaction on an issue may do beyond its own row. */
export interface LockNeeds {
  /** Whether it may end, reopen or delete the issue, which moves others where it has edges. */
  movesOthers: boolean;
  /** Whether it may change what the issue blocks. */
  changesEdges?: boolean;
}

/** Why a status changed, as the journal reports it. */
export type Cause = Record<string, unknown> & { cause: string };

/** The journal's event for a trigger that has one of its own. */
const EVENT_OF: Partial<Record<Trigger, 'issue.paused' | 'issue.resumed'>> = {
  pause: 'issue.paused',
  hold: 'issue.paused',
  resume: 'issue.resumed',
};

/**
 * Changes the status of issues, and of the issues that wait for them (contract §5.3, §6). Nothing else writes a status.
 *
 * The invariant, at every commit: an issue in WaitingOnDependency is blocked; an issue in Open, InProgress or
 * PendingReview is not; blocking has no cycle. `IssueDependenciesRepository` defines what blocks an issue: links and
 * gates.
 *
 * The locks that keep it, in this order: the graph lock, wherever a change may move other issues; then the rows of
 * issues in id order. Decisions are made on locked rows only, and a write names the status it was decided on.
 */
@Injectable()
export class StatusChangesService {
  constructor(
    private readonly transactions: TransactionsService,
    private readonly graph: GraphLockRepository,
    @InjectRepository(Issue) private readonly issues: IssueRepository,
    private readonly dependencies: IssueDependenciesRepository,
    @InjectRepository(IssueLease) private readonly leases: IssueLeaseRepository,
    private readonly gates: GatesOfEndedIssuesRepository,
    private readonly journal: JournalService,
  ) {}

  /**
   * Runs `work` in a transaction that holds the issue, and the graph lock where `work` needs it.
   * @param needs read at each attempt, so that `work` may set one and try again
   * @throws {NotFound} when the issue has been deleted
   */
  withIssueLock<T>(id: string, needs: LockNeeds, work: (issue: LockedIssue) => Promise<T>): Promise<T> {
    return this.transactions.run(async () => {
      const { movesOthers, changesEdges } = needs;
      const needsGraph = changesEdges || (movesOthers && (await this.dependencies.hasEdges(id)));
      if (needsGraph) await this.graph.take();
      const issue = await this.issues.lock(id);
      if (!issue) throw new NotFound();
      // An edge appeared between the query and the row lock. The graph lock must come first, so start again.
      if (movesOthers && !needsGraph && (await this.dependencies.hasEdges(id))) throw new TryAgain();
      return work(issue);
    });
  }

  /**
   * Moves locked issues by one transition of the table, in two statements whatever their number.
   * @param by who asked for it; null for a rule of the service
   * @throws {InvalidTransition} when the table has no such transition
   */
  async apply(
    subjects: Subject[],
    trigger: Trigger,
    to: Status,
    why: Cause,
    by: Principal['type'] | null = null,
  ): Promise<void> {
    if (subjects.length === 0) return;
    for (const subject of subjects)
      if (!transitionOf(subject, trigger, to)) throw new InvalidTransition(subject, to);
    const changes = subjects.map((subject) => ({ ...subject, pausedAfter: pausedAfter(subject, trigger) }));
    // A user's change sets the number of failed attempts to 0 (contract §5.3).
    const startsAgain = by === 'user';
    const changed = await this.issues.setStatus(changes, to, startsAgain, trigger === 'handIn');
    if (changed < subjects.length) throw new TryAgain();
    // A lease ends with any status but InProgress (contract §7).
    if (to !== 'InProgress')
      await this.leases.end(
        subjects.map(({ id }) => id),
        endOf(trigger, to),
      );
    await this.record(subjects, trigger, to, why);
    if (!isUnresolved(to)) await this.withdrawGates(subjects);
  }

  /** Withdraws the gates of issues that end: no decision on them is needed any more. */
  async withdrawGates(issues: { id: string }[]): Promise<void> {
    await this.journal.record(...(await this.gates.withdrawAll(issues.map(({ id }) => id))));
  }

  /**
   * Makes a locked issue wait for a blocker that it has just got. The caller holds the graph lock where the issue is
   * resolved. An unresolved one moves alone, so its own row is enough.
   */
  async block(blocked: Subject, why: Cause): Promise<void> {
    if (blocked.status === 'WaitingOnDependency') return;
    await this.apply([blocked], 'block', 'WaitingOnDependency', why);
    if (!isUnresolved(blocked.status)) await this.holdDependents(blocked.id, why);
  }

  /**
   * Moves the issues that depend on one whose status has just changed: unblocks them when it ended, holds them up
   * again when it was reopened. A reopened issue that is itself blocked goes on to wait. The caller holds the graph lock.
   */
  async moveDependents(before: Subject, to: Status, why: Cause): Promise<void> {
    if (isUnresolved(before.status) === isUnresolved(to)) return;
    if (!isUnresolved(to)) return this.unblock(await this.dependencies.dependentsOf(before.id), why);
    if (await this.dependencies.isBlocked(before.id))
      await this.apply([{ ...before, status: to }], 'block', 'WaitingOnDependency', {
        cause: 'still_blocked',
      });
    await this.holdDependents(before.id, why);
  }

  /**
   * Opens those of these issues that wait although nothing blocks them any more; those whose work is finished go to a
   * review. Everything that removes a blocker,
   * of whatever kind, ends here. The caller holds the graph lock, or the rows of the issues where it removed a gate.
   */
  async unblock(ids: string[], why: Cause): Promise<void> {
    if (ids.length === 0) return;
    const free = await this.dependencies.lockUnblocked(ids);
    const [done, open] = [true, false].map((is) => free.filter(({ handedIn }) => handedIn === is));
    await this.apply(open!, 'unblock', 'Open', why);
    await this.apply(done!, 'handIn', 'PendingReview', why);
  }

  private async holdDependents(id: string, why: Cause): Promise<void> {
    const blocked = await this.dependencies.lockBlocked(await this.dependencies.dependentsOf(id));
    await this.apply(blocked, 'reopenedBlocker', 'WaitingOnDependency', why);
  }

  private async record(subjects: Subject[], trigger: Trigger, to: Status, why: Cause): Promise<void> {
    const event = EVENT_OF[trigger];
    await this.journal.record(
      ...subjects.flatMap(({ id, projectId, status }) => {
        const place = { subject: { type: 'issue', id }, projectId, issueId: id };
        const data = { old: status, new: to, ...why };
        const changed = { ...place, type: 'issue.status_changed' as const, data };
        return event ? [{ ...place, type: event, data: {} }, changed] : [changed];
      }),
    );
  }
}

/** A pause and a blocker end a lease for a time only. */
function endOf(trigger: Trigger, to: Status): EndedAs | null {
  if (trigger === 'pause') return 'paused';
  return to === 'WaitingOnDependency' ? 'waiting' : null;
}
