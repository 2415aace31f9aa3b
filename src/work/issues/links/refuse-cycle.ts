import { DependencyCycle } from '../issues.errors.js';
import type { IssueDependenciesRepository } from '../status/issue-dependencies.repository.js';

interface Node {
  id: string;
  key: string;
}

/**
 * Rejects an edge that would close a cycle of blocking, however long. The caller holds the graph lock.
 * @throws {DependencyCycle} when `blocked` already leads to `blocker`
 */
export async function refuseCycle(
  dependencies: IssueDependenciesRepository,
  blocker: Node,
  blocked: Node,
): Promise<void> {
  if (!(await dependencies.reaches(blocked.id, blocker.id))) return;
  const path = shortestPath(await dependencies.edgesFrom(blocked.id), blocked, blocker.id);
  throw new DependencyCycle([blocker, ...path].map(({ id, key }) => ({ id, key })));
}

/** The issues on a shortest path along the edges, both ends included. */
function shortestPath(edges: { source: string; target: string; key: string }[], from: Node, to: string) {
  const paths = new Map([[from.id, [from]]]);
  for (const id of paths.keys()) {
    if (id === to) break;
    for (const { target, key } of edges.filter(({ source }) => source === id))
      if (!paths.has(target)) paths.set(target, [...paths.get(id)!, { id: target, key }]);
  }
  return paths.get(to) ?? [];
}
