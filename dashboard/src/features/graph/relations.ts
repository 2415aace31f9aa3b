import type { Graph, GraphNode } from '../../api/types';

/** Who blocks whom among the issues of a response. */
export interface Relations {
  byId: ReadonlyMap<string, GraphNode>;
  blockersOf: (id: string) => readonly GraphNode[];
  dependentsOf: (id: string) => readonly GraphNode[];
}

export function relationsOf({ nodes, edges }: Graph): Relations {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const blockers = new Map<string, GraphNode[]>();
  const dependents = new Map<string, GraphNode[]>();
  for (const { source, target, linkType } of edges) {
    const from = byId.get(source);
    const to = byId.get(target);
    if (linkType !== 'Blocks' || from === undefined || to === undefined) continue;
    blockers.set(target, [...(blockers.get(target) ?? []), from]);
    dependents.set(source, [...(dependents.get(source) ?? []), to]);
  }
  return {
    byId,
    blockersOf: (id) => blockers.get(id) ?? [],
    dependentsOf: (id) => dependents.get(id) ?? [],
  };
}

const isFinished = ({ status }: GraphNode): boolean => status === 'Resolved' || status === 'Closed';

/** Everything that is reached from an issue by one relation, the issue itself left out. */
function reach(id: string, next: (id: string) => readonly GraphNode[]): Set<string> {
  const seen = new Set<string>();
  const queue = [id];
  for (const at of queue)
    for (const node of next(at))
      if (!seen.has(node.id)) {
        seen.add(node.id);
        queue.push(node.id);
      }
  return seen;
}

/** The unfinished issues that hold up an issue, with the issue itself: the thick part of the graph. */
export function holdersOf(relations: Relations, id: string): Set<string> {
  return reach(id, (at) => relations.blockersOf(at).filter((node) => !isFinished(node))).add(id);
}

/** Unfinished issues that wait for nothing shown, with how many issues each of them holds up: the most first. */
export function rootsOf({ nodes }: Graph, relations: Relations): { node: GraphNode; holds: number }[] {
  return nodes
    .filter((node) => !isFinished(node) && relations.blockersOf(node.id).every(isFinished))
    .map((node) => ({ node, holds: reach(node.id, relations.dependentsOf).size }))
    .filter(({ holds }) => holds > 0)
    .toSorted((a, b) => b.holds - a.holds);
}
