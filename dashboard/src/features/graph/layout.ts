import { Graph as Dagre, layout } from '@dagrejs/dagre';
import type { Folded } from './fold';

export const NODE = { width: 224, height: 92 } as const;
export const FOLD = { width: 224, height: 40 } as const;

/** Where each issue and each fold stands: what blocks at the left, what waits at the right. */
export function positionsOf({ nodes, folds, edges }: Folded): Map<string, { x: number; y: number }> {
  const graph = new Dagre();
  graph.setGraph({ rankdir: 'LR', nodesep: 20, ranksep: 64, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  const sizes = new Map<string, { width: number; height: number }>([
    ...nodes.map(({ id }) => [id, NODE] as const),
    ...folds.map(({ id }) => [id, FOLD] as const),
  ]);
  for (const [id, size] of sizes) graph.setNode(id, { ...size });
  // Only blocking gives an order; other links would pull issues to where they do not belong.
  for (const { source, target, linkType } of edges)
    if (linkType === 'Blocks' && sizes.has(source) && sizes.has(target)) graph.setEdge(source, target);
  layout(graph);
  return new Map(
    [...sizes].map(([id, { width, height }]) => {
      const { x, y } = graph.node(id) as { x: number; y: number };
      return [id, { x: x - width / 2, y: y - height / 2 }];
    }),
  );
}
