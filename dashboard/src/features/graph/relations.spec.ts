import { describe, expect, it } from 'vitest';
import type { Graph, GraphNode } from '../../api/types';
import { holdersOf, mostWaitedFor, relationsOf } from './fold';

const node = (id: string, status: GraphNode['status'] = 'WaitingOnDependency') =>
  ({ id, key: id, status }) as GraphNode;
const blocks = (source: string, target: string) => ({
  id: `${source}${target}`,
  source,
  target,
  linkType: 'Blocks',
});

/** a holds b and c, b holds d; e is finished and held d once; x is only related to d. */
const graph = {
  nodes: [
    node('a', 'PendingReview'),
    node('b'),
    node('c'),
    node('d'),
    node('e', 'Resolved'),
    node('x', 'Open'),
  ],
  edges: [
    blocks('a', 'b'),
    blocks('a', 'c'),
    blocks('b', 'd'),
    blocks('e', 'd'),
    { id: 'r', source: 'x', target: 'd', linkType: 'RelatedTo' },
    blocks('gone', 'd'),
  ],
  truncated: false,
} as Graph;
const relations = relationsOf(graph);

describe('the relations of a graph', () => {
  it('know blockers and dependents, without issues that are not shown and other links', () => {
    expect(relations.blockersOf('d').map(({ id }) => id)).toEqual(['b', 'e']);
    expect(relations.dependentsOf('a').map(({ id }) => id)).toEqual(['b', 'c']);
  });

  it('find what holds up an issue, and leave out what is finished', () => {
    expect([...holdersOf(relations, 'd')].toSorted()).toEqual(['a', 'b', 'd']);
  });
});

describe('mostWaitedFor', () => {
  it('is the issue for which most of the others wait, directly or not, wherever it stands', () => {
    const turned = graph.nodes.toReversed();
    expect(mostWaitedFor(turned, relationsOf(graph as Graph))?.id).toBe('a');
  });

  it('is the first issue where none waits', () => {
    const without = { ...graph, edges: [] };
    expect(mostWaitedFor(without.nodes, relationsOf(without as Graph))?.id).toBe('a');
  });
});
