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
