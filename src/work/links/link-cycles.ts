import { type FieldError, Problem } from '../../platform/http/problem.js';
import type { IssueDependenciesRepository } from '../issue-status/issue-dependencies.repository.js';

/** An issue on a path of blocking. */
export interface PathNode {
  id: string;
  key: string;
}

/** An edge from a blocker to the issue that it blocks, whose key it has. */
export interface BlockingEdge {
  source: string;
  target: string;
  key: string;
}

/**
 * Returns the issues on a shortest path along the edges, both ends included; empty where there is none. Time and memory
 * are linear in the edges: one agent can build a chain of thousands and close it.
 */
export function shortestPath(edges: readonly BlockingEdge[], from: PathNode, to: string): PathNode[] {
  const edgesOf = bySource(edges);
  const reachedFrom = new Map<string, { node: PathNode; before: string | null }>([
    [from.id, { node: from, before: null }],
  ]);
  for (const id of reachedFrom.keys()) {
    if (id === to) break;
    for (const { target, key } of edgesOf.get(id) ?? [])
      if (!reachedFrom.has(target)) reachedFrom.set(target, { node: { id: target, key }, before: id });
  }
  const path: PathNode[] = [];
  for (let at = reachedFrom.get(to); at; at = at.before === null ? undefined : reachedFrom.get(at.before))
    path.push(at.node);
  return path.reverse();
}

function bySource(edges: readonly BlockingEdge[]): Map<string, BlockingEdge[]> {
  const groups = new Map<string, BlockingEdge[]>();
  for (const edge of edges) {
    const group = groups.get(edge.source);
    if (group) group.push(edge);
    else groups.set(edge.source, [edge]);
  }
  return groups;
}

/** The most issues of a cycle's path in a response: a chain may have thousands. */
const LONGEST_PATH = 50;

/** An issue of a cycle as a response shows it: one of a plan by its name there (contract §5.10). */
export type CycleMember = { id: string; key: string } | { ref: string };

/** 409: the link would close a cycle of blocking (contract §5.5). */
export class DependencyCycle extends Problem {
  /**
   * @param path along the cycle; it ends with the issue that it begins with
   * @param errors the places of a request with several links
   */
  constructor(path: CycleMember[], errors?: FieldError[]) {
    const isCut = path.length > LONGEST_PATH;
    const first = isCut ? path.slice(0, LONGEST_PATH / 2) : path;
    const last = isCut ? path.slice(-LONGEST_PATH / 2) : [];
    const omitted = path.length - first.length - last.length;
    const names = [...first.map(nameOf), ...(isCut ? [`(${omitted} more)`] : []), ...last.map(nameOf)];
    const what = errors ? 'The plan has a cycle of blocking' : 'This link would close a cycle of blocking';
    super('dependency_cycle', `${what}: ${names.join(' → ')}.`, {
      errors,
      members: { path: [...first, ...last], ...(isCut && { omitted }) },
    });
  }
}

function nameOf(member: CycleMember): string {
  return 'ref' in member ? member.ref : member.key;
}

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
