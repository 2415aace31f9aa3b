import { Injectable } from '@nestjs/common';
import { DependencyCycle } from './issues.errors.js';
import { IssueDependenciesRepository } from './issue-dependencies.repository.js';
import { isUnresolved } from './issue-status.js';
import { StatusChanges, type Cause, type Subject } from './status-changes.js';

/**
 * Who blocks whom, and what follows from it (spec §5.3). The invariant, at every commit: an issue that waits
 * has an unresolved blocker; one that is open, in progress or in review has none; blocking has no circle.
 * Whoever calls anything here holds the graph lock.
 */
@Injectable()
export class IssueDependencies {
  constructor(
    private readonly edges: IssueDependenciesRepository,
    private readonly statusChanges: StatusChanges,
  ) {}

  /** Makes an issue wait that a new edge blocks; does nothing where its blocker is finished. Both are locked. */
  async block(blocked: Subject, blocker: Subject, why: Cause): Promise<void> {
    if (!isUnresolved(blocker.status) || blocked.status === 'WaitingOnDependency') return;
    const wasResolved = !isUnresolved(blocked.status);
    await this.statusChanges.apply([blocked], 'block', 'WaitingOnDependency', why);
    if (wasResolved) await this.holdDependentsOf(blocked.id, why);
  }

  /** After an issue was reopened: it waits itself where it is blocked, and what it blocks waits for it. */
  async reopened(issue: Subject, why: Cause): Promise<void> {
    if (await this.edges.hasUnresolvedBlocker(issue.id))
      await this.statusChanges.apply([issue], 'block', 'WaitingOnDependency', { cause: 'still_blocked' });
    await this.holdDependentsOf(issue.id, why);
  }

  /** After blockers ended or edges went: those of these issues that have nothing left to wait for are set free. */
  async settle(dependentIds: string[], why: Cause): Promise<void> {
    if (dependentIds.length === 0) return;
    await this.statusChanges.apply(await this.edges.lockReleased(dependentIds), 'unblock', 'Open', why);
  }

  async settleDependentsOf(id: string, why: Cause): Promise<void> {
    await this.settle(await this.edges.dependentsOf(id), why);
  }

  /** @throws DependencyCycle where an edge from `blocker` to `blocked` would close a circle */
  async refuseCircle(
    blocker: { id: string; key: string },
    blocked: { id: string; key: string },
  ): Promise<void> {
    if (!(await this.edges.reaches(blocked.id, blocker.id))) return;
    const way = shortestWay(await this.edges.edgesFrom(blocked.id), blocked, blocker.id);
    throw new DependencyCycle([blocker, ...way].map(({ id, key }) => ({ id, key })));
  }

  private async holdDependentsOf(id: string, why: Cause): Promise<void> {
    const held = await this.edges.lockBlocked(await this.edges.dependentsOf(id));
    await this.statusChanges.apply(held, 'reopenedBlocker', 'WaitingOnDependency', why);
  }
}

/** The issues on a shortest way along the edges, both ends included. */
function shortestWay(
  edges: { source: string; target: string; key: string }[],
  from: { id: string; key: string },
  to: string,
) {
  const ways = new Map([[from.id, [from]]]);
  for (const id of ways.keys()) {
    if (id === to) break;
    for (const { target, key } of edges.filter(({ source }) => source === id))
      if (!ways.has(target)) ways.set(target, [...ways.get(id)!, { id: target, key }]);
  }
  return ways.get(to) ?? [];
}
