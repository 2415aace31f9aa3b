import type { Graph, GraphNode } from '../../api/types';

/** Whether an edge makes its target wait: a link does, and a sub-issue that its parent waits for. */
export const isBlocking = ({ linkType }: Pick<Graph['edges'][number], 'linkType'>): boolean =>
  linkType === 'Blocks' || linkType === 'Child';

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
  for (const edge of edges) {
    const { source, target } = edge;
    const from = byId.get(source);
    const to = byId.get(target);
    if (!isBlocking(edge) || from === undefined || to === undefined) continue;
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

/** The issue for which most of the others wait, directly or not; the first of those that are alike. */
export function mostWaitedFor(nodes: readonly GraphNode[], relations: Relations): GraphNode | undefined {
  const waiting = new Map(nodes.map((node) => [node, reach(node.id, relations.dependentsOf).size]));
  return nodes.toSorted((a, b) => waiting.get(b)! - waiting.get(a)!)[0];
}

/** Issues that hang on one other issue only, drawn as one box: a fan of 200 would be longer than anyone scrolls. */
export interface Fold {
  id: string;
  /** The issue that they all hang on. */
  hub: string;
  /** Whether they wait for the hub, or the hub for them. */
  side: 'waiting' | 'blocking';
  /** How many issues it stands for, with those of the hub that the response has left out. */
  count: number;
}

/** More leaves than this on one side of an issue are folded, all but the first of them. */
const MOST_LEAVES = 8;

/** What is drawn: the issues that are left, the folds, and the lines among both. */
export interface Folded {
  nodes: GraphNode[];
  folds: Fold[];
  edges: Pick<Graph['edges'][number], 'id' | 'source' | 'target' | 'linkType'>[];
}

/**
 * Folds the leaves of large fans.
 * @param kept the id of an issue that is never folded
 * @param opened the ids of folds that a person has opened
 */
export function foldFans({ nodes, edges }: Graph, kept: string | null, opened: ReadonlySet<string>): Folded {
  const fans = fansOf({ nodes, edges, kept });
  const folds: Fold[] = [];
  const gone = new Set<string>();
  for (const [id, { hub, side, leaves }] of fans) {
    if (leaves.length <= MOST_LEAVES || opened.has(id)) continue;
    const folded = leaves.slice(MOST_LEAVES - 1);
    for (const leaf of folded) gone.add(leaf);
    const hidden = nodes.find((node) => node.id === hub)?.hidden ?? 0;
    folds.push({ id, hub, side, count: folded.length + hidden });
  }
  return {
    nodes: nodes.filter(({ id }) => !gone.has(id)),
    folds,
    edges: [
      ...edges.filter(({ source, target }) => !gone.has(source) && !gone.has(target)),
      ...folds.map(({ id, hub, side }) => ({
        id: `to ${id}`,
        ...(side === 'waiting' ? { source: hub, target: id } : { source: id, target: hub }),
        linkType: 'Blocks' as const,
      })),
    ],
  };
}

interface Fan {
  hub: string;
  side: Fold['side'];
  leaves: string[];
}

/** The issues with one line only, and that to block or to wait, by what it leads to. */
function fansOf({ nodes, edges, kept }: Pick<Graph, 'nodes' | 'edges'> & { kept: string | null }) {
  const ends = new Map<string, number>();
  for (const { source, target } of edges)
    for (const id of [source, target]) ends.set(id, (ends.get(id) ?? 0) + 1);
  const known = new Set(nodes.map(({ id }) => id));
  const hidden = new Map(nodes.map(({ id, hidden: more }) => [id, more]));
  const isLeaf = (id: string) => ends.get(id) === 1 && hidden.get(id) === 0 && id !== kept;
  const fans = new Map<string, Fan>();
  const add = (leaf: string, hub: string, side: Fold['side']) => {
    const id = `fold ${hub} ${side}`;
    const fan = fans.get(id) ?? { hub, side, leaves: [] };
    fan.leaves.push(leaf);
    fans.set(id, fan);
  };
  for (const edge of edges) {
    const { source, target } = edge;
    if (!isBlocking(edge) || !known.has(source) || !known.has(target)) continue;
    if (isLeaf(target)) add(target, source, 'waiting');
    else if (isLeaf(source)) add(source, target, 'blocking');
  }
  return fans;
}
