import { describe, expect, it } from 'vitest';
import type { Graph, GraphNode } from '../../api/types';
import { foldFans } from './fold';

const node = (id: string, hidden = 0) => ({ id, key: id, status: 'Open', hidden }) as GraphNode;
const blocks = (source: string, target: string) => ({
  id: `${source} ${target}`,
  source,
  target,
  linkType: 'Blocks',
});
/** A chain root, a, b, and a fan of `size` issues that wait for the root. */
const graphOf = (size: number, hidden = 0): Graph => {
  const leaves = Array.from({ length: size }, (_, at) => `leaf${at}`);
  return {
    nodes: [node('root', hidden), node('a'), node('b'), ...leaves.map((id) => node(id))],
    edges: [blocks('root', 'a'), blocks('a', 'b'), ...leaves.map((id) => blocks('root', id))],
    truncated: hidden > 0,
  } as Graph;
};
const none = new Set<string>();

describe('a fan', () => {
  it('of up to 8 issues is drawn whole', () => {
    const { nodes, folds, edges } = foldFans(graphOf(8), null, none);
    expect([nodes.length, folds.length, edges.length]).toEqual([11, 0, 10]);
  });

  it('of more is folded after 7, and counts what the response has left out', () => {
    const { nodes, folds, edges } = foldFans(graphOf(77, 123), null, none);
    expect(nodes.map(({ id }) => id)).toEqual([
      'root',
      'a',
      'b',
      ...[0, 1, 2, 3, 4, 5, 6].map((n) => `leaf${n}`),
    ]);
    expect(folds).toEqual([{ id: 'fold root waiting', hub: 'root', side: 'waiting', count: 193 }]);
    expect(edges.at(-1)).toMatchObject({ source: 'root', target: 'fold root waiting' });
  });

  it('keeps the focus, and opens when a person asks for it', () => {
    const { nodes } = foldFans(graphOf(20), 'leaf19', none);
    expect(nodes.map(({ id }) => id)).toContain('leaf19');
    expect(foldFans(graphOf(20), null, new Set(['fold root waiting'])).folds).toEqual([]);
  });

  it('of blockers is folded as one of waiting issues is', () => {
    const { nodes, edges } = graphOf(20);
    const turned = {
      nodes,
      edges: edges.map((edge) => ({ ...edge, source: edge.target, target: edge.source })),
    };
    expect(foldFans(turned as Graph, null, none).folds).toMatchObject([
      { hub: 'root', side: 'blocking', count: 13 },
    ]);
  });

  it('is no fan where its issues hold up others or have other links', () => {
    const graph = graphOf(20);
    graph.edges.push(
      ...(Array.from({ length: 20 }, (_, at) => ({ ...blocks(`leaf${at}`, 'b'), id: `x${at}` })) as never[]),
    );
    expect(foldFans(graph, null, none).folds).toEqual([]);
  });
});
