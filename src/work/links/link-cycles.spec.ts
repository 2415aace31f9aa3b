import { describe, expect, it } from '@jest/globals';
import { type BlockingEdge, shortestPath } from './link-cycles.js';

const edge = (source: string, target: string): BlockingEdge => ({ source, target, key: `K-${target}` });
const a = { id: 'a', key: 'K-a' };
const idsOf = (edges: BlockingEdge[], to: string) => shortestPath(edges, a, to).map(({ id }) => id);

describe('the path of a cycle', () => {
  it('is the shortest one, with the key of each issue', () => {
    const edges = [edge('a', 'b'), edge('b', 'c'), edge('c', 'd'), edge('a', 'c'), edge('d', 'a')];
    expect(idsOf(edges, 'd')).toEqual(['a', 'c', 'd']);
    expect(shortestPath(edges, a, 'c')).toEqual([a, { id: 'c', key: 'K-c' }]);
    expect(idsOf(edges, 'a')).toEqual(['a']);
    expect(idsOf(edges, 'elsewhere')).toEqual([]);
  });

  it('is found in a chain of 200,000 issues', () => {
    const names = ['a', ...Array.from({ length: 200_000 }, (_, at) => `${at}`)];
    const edges = names.slice(1).map((target, at) => edge(names[at]!, target));
    expect(idsOf(edges, names.at(-1)!)).toHaveLength(names.length);
  });
});
