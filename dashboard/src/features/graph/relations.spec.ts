import { describe, expect, it } from 'vitest';
import type { Graph, GraphNode } from '../../api/types';
import { holdersOf, relationsOf } from './fold';

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
