import { DependencyCycle } from './dependency-cycle.js';
import type { IssueDependenciesRepository } from '../status/issue-dependencies.repository.js';
import { shortestPath, type PathNode } from './cycle-path.js';

/**
 * Rejects an edge that would close a cycle of blocking, however long. The caller holds the graph lock.
 * @throws {DependencyCycle} when `blocked` already leads to `blocker`
 */
export async function refuseCycle(
  dependencies: IssueDependenciesRepository,
  blocker: PathNode,
  blocked: PathNode,
): Promise<void> {
  if (!(await dependencies.reaches(blocked.id, blocker.id))) return;
  const path = shortestPath(await dependencies.edgesFrom(blocked.id), blocked, blocker.id);
  throw new DependencyCycle([blocker, ...path].map(({ id, key }) => ({ id, key })));
}
