import { Graph as Dagre, layout } from '@dagrejs/dagre';
import type { Graph } from '../../api/types';

export const NODE = { width: 224, height: 92 } as const;

/** Where each issue stands: what blocks at the left, what waits at the right. */
export function positionsOf({ nodes, edges }: Graph): Map<string, { x: number; y: number }> {
  const graph = new Dagre();
  graph.setGraph({ rankdir: 'LR', nodesep: 20, ranksep: 64, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) graph.setNode(id, { ...NODE });
  const known = new Set(nodes.map(({ id }) => id));
  // Only blocking gives an order; other links would pull issues to where they do not belong.
  for (const { source, target, linkType } of edges)
    if (linkType === 'Blocks' && known.has(source) && known.has(target)) graph.setEdge(source, target);
  layout(graph);
  return new Map(
    nodes.map(({ id }) => {
      const { x, y } = graph.node(id) as { x: number; y: number };
      return [id, { x: x - NODE.width / 2, y: y - NODE.height / 2 }];
    }),
  );
}
