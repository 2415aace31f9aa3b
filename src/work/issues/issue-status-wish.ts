import { Injectable } from '@nestjs/common';
import { Forbidden } from '../../platform/auth/auth.errors.js';
import type { Principal } from '../../platform/auth/principal.js';
import { Settings } from '../../platform/config/settings.js';
import { IssueDependenciesRepository } from './issue-dependencies.repository.js';
import { IssueDependencies } from './issue-dependencies.js';
import { InvalidTransition, OpenDependents } from './issues.errors.js';
import { isUnresolved, transitionOf, type Status } from './issue-status.js';
import type { LockedIssue } from './issues.repository.js';
import { LeasesRepository } from './leases/leases.repository.js';
import { StatusChanges, type Cause } from './status-changes.js';

/** Moves one locked issue to the status that a caller asked for by PUT or close, with all that follows (spec §5.3). */
@Injectable()
export class IssueStatusWish {
  constructor(
    private readonly statusChanges: StatusChanges,
    private readonly dependencies: IssueDependencies,
    private readonly edges: IssueDependenciesRepository,
    private readonly leases: LeasesRepository,
    private readonly settings: Settings,
  ) {}

  async apply(caller: Principal, issue: LockedIssue, to: Status): Promise<void> {
    refuse(caller, issue, to);
    if (to === 'Closed') await this.refuseOpenDependents(issue.id);
    if (caller.type === 'agent' && to === 'Open') return this.giveBack(caller.id, issue);
    await this.statusChanges.apply([issue], 'put', to, { cause: 'put' }, caller.type === 'user');
    await this.follow(issue, to, { cause: causeOf(to), blockerId: issue.id });
  }

  /** @param force also where issues that it blocks are not finished: they are set free */
  async close(issue: LockedIssue, force: boolean): Promise<void> {
    if (issue.status === 'Closed') return;
    if (!force) await this.refuseOpenDependents(issue.id);
    await this.statusChanges.apply(
      [issue],
      'close',
      'Closed',
      { cause: force ? 'closed_by_force' : 'closed' },
      true,
    );
    await this.follow(issue, 'Closed', { cause: causeOf('Closed'), blockerId: issue.id });
  }

  /** An attempt that came to nothing: after too many of them a person has to look (spec §7). */
  private async giveBack(agentId: string, issue: LockedIssue): Promise<void> {
    await this.leases.countAttempts([issue.id], agentId);
    if (issue.attempts + 1 >= this.settings.maxAttempts)
      await this.statusChanges.apply([issue], 'exhaust', 'PendingReview', { cause: 'attempts_exhausted' });
    else await this.statusChanges.apply([issue], 'put', 'Open', { cause: 'given_back' });
  }

  /** What its end sets free, or its return holds up. */
  private async follow(before: LockedIssue, to: Status, why: Cause): Promise<void> {
    if (isUnresolved(before.status) && !isUnresolved(to))
      await this.dependencies.settleDependentsOf(before.id, why);
    if (!isUnresolved(before.status) && isUnresolved(to))
      await this.dependencies.reopened({ ...before, status: to }, why);
  }

  private async refuseOpenDependents(id: string): Promise<void> {
    const dependents = await this.edges.openDependentsOf(id);
    if (dependents.length > 0) throw new OpenDependents(dependents);
  }
}

/** A change that only a user may make is 403 to an agent; one that nobody may is 409. */
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

function causeOf(to: Status): string {
  return to === 'Open' ? 'blocker_reopened' : `blocker_${to.toLowerCase()}`;
}
