import { Injectable } from '@nestjs/common';
import { Forbidden } from '../../platform/authentication/authentication.errors.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { Settings } from '../../platform/config/settings.js';
import { AttemptsRepository, isLastAttempt } from './given-back-issues-and-attempts.repository.js';
import { IssueDependenciesRepository, type OpenDependent } from './issue-dependencies.repository.js';
import type { LockedIssue } from './issue-row-and-references.js';
import { InvalidTransition, type Status, transitionOf } from './issue-status.js';
import { StatusChangesService } from './status-changes.service.js';
import { Problem } from '../../platform/http/problem.js';

/**
 * Decides on a caller's request for a status, by PUT or close, and carries it out (contract §5.3). The issue is locked
 * with `withIssueLock` and `movesOthers`.
 */
@Injectable()
export class StatusPutsAndClosesService {
  constructor(
    private readonly statusChanges: StatusChangesService,
    private readonly dependencies: IssueDependenciesRepository,
    private readonly attempts: AttemptsRepository,
    private readonly settings: Settings,
  ) {}

  /**
   * @param why further members of the journal's entry
   * @throws {InvalidTransition | Forbidden | OpenDependents | OpenChildren} when the caller may not have this status
   */
  async put(
    caller: Principal,
    issue: LockedIssue,
    to: Status,
    why: Record<string, unknown> = {},
  ): Promise<void> {
    refuse(caller, issue, to);
    if (to === 'Closed') await this.refuseOpen(issue.id);
    if (caller.type === 'agent' && to === 'Open') return this.giveBack(caller.id, issue, why);
    await this.statusChanges.apply([issue], 'put', to, { cause: 'put', ...why }, caller.type);
    await this.moveDependents(issue, to);
  }

  /**
   * Closes the issue; one that is closed already stays as it is.
   * @param force also closes it while issues that it blocks are unresolved, which are unblocked, and with the unresolved
   * issues below it, the deepest first
   * @throws {OpenDependents | OpenChildren} without `force`
   */
  async close(issue: LockedIssue, force: boolean): Promise<void> {
    if (issue.status === 'Closed') return;
    if (!force) {
      await this.refuseOpen(issue.id);
      await this.statusChanges.apply([issue], 'close', 'Closed', { cause: 'closed' }, 'user');
      return this.moveDependents(issue, 'Closed');
    }
    const below = await this.dependencies.lockOpenBelow(issue.id);
    const withParent = { cause: 'parent_closed', parentId: issue.id };
    await this.statusChanges.apply(below, 'close', 'Closed', withParent, 'user');
    await this.statusChanges.apply([issue], 'close', 'Closed', { cause: 'closed_by_force' }, 'user');
    await this.unblockBeyond([issue, ...below]);
  }

  /** Unblocks what waited for issues that were closed together. Issues that were closed before they were unblocked show no change to Open. */
  private async unblockBeyond(closed: { id: string }[]): Promise<void> {
    const beyond = await this.dependencies.dependentsBeyond(closed.map(({ id }) => id));
    for (const { blockerId, dependents } of beyond)
      await this.statusChanges.unblock(dependents, { cause: 'blocker_closed', blockerId });
  }

  /** Counts a failed attempt. After the last one a person has to look at the issue (contract §7.2). */
  private async giveBack(agentId: string, issue: LockedIssue, why: Record<string, unknown>): Promise<void> {
    await this.attempts.count([issue.id], agentId);
    if (isLastAttempt(issue, this.settings.maxAttempts))
      await this.statusChanges.apply([issue], 'exhaust', 'PendingReview', {
        cause: 'attempts_exhausted',
        ...why,
      });
    else await this.statusChanges.apply([issue], 'put', 'Open', { cause: 'given_back', ...why });
  }

  private moveDependents(before: LockedIssue, to: Status): Promise<void> {
    const cause = to === 'Open' ? 'blocker_reopened' : `blocker_${to.toLowerCase()}`;
    return this.statusChanges.moveDependents(before, to, { cause, blockerId: before.id });
  }

  private async refuseOpen(id: string): Promise<void> {
    const dependents = await this.dependencies.openDependentsOf(id);
    if (dependents.length > 0) throw new OpenDependents(dependents);
    const children = await this.dependencies.openBelow(id);
    if (children.length > 0) throw new OpenChildren(children);
  }
}

/** A change that only a user may make is 403 for an agent; one that no caller may make is 409. */
function refuse(caller: Principal, issue: LockedIssue, to: Status): void {
  const transition = transitionOf(issue, 'put', to);
  if (!transition) throw new InvalidTransition(issue, to, reasonAgainst(issue, to));
  if (caller.type === 'agent' && !transition.agents)
    throw new Forbidden(`Only a person may change an issue from ${issue.status} to ${to}.`);
}

function reasonAgainst(issue: LockedIssue, to: Status): string | undefined {
  if (to === 'WaitingOnDependency')
    return 'Only links lead to WaitingOnDependency: create a BlockedBy link instead.';
  if (to === 'InProgress' && issue.paused) return 'The issue is paused; resume it first.';
  return undefined;
}

/** 409: the issue blocks unresolved issues. */
export class OpenDependents extends Problem {
  constructor(dependents: OpenDependent[]) {
    super(
      'open_dependents',
      `${dependents.length} issue(s) that this one blocks are not Resolved or Closed; finish them first, or close with force=true.`,
      { members: { dependents } },
    );
  }
}

/** 409: issues below this one are unresolved (contract §5.9). */
export class OpenChildren extends Problem {
  constructor(children: OpenDependent[]) {
    super(
      'open_children',
      `${children.length} issue(s) below this one are not Resolved or Closed; finish them first, or close with force=true, which closes them too.`,
      { members: { children } },
    );
  }
}
