import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { checkGraph, edgesWithin, levelsIn, namedOutside, type PlanEdge, readTree } from './plan-graph.js';
import { GENERATED_CASES } from '../../../test/support/generated-cases.js';

const CASES = { numRuns: GENERATED_CASES };

/** Any graph of up to 12 issues: some have cycles, lines of an issue to itself, and lines twice. */
const anyGraph = fc.integer({ min: 1, max: 12 }).chain((count) => {
  const place = fc.integer({ min: 0, max: count - 1 });
  return fc.record({
    count: fc.constant(count),
    edges: fc.array(fc.record({ from: place, to: place }), { maxLength: 24 }),
  });
});

/** A graph without cycles: all lines lead onwards in some order of up to 40 issues. */
const acyclicGraph = fc.integer({ min: 1, max: 40 }).chain((count) =>
  fc.record({
    names: fc.shuffledSubarray([...new Array(count).keys()], { minLength: count }),
    pairs: fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 120 }),
  }),
);

/** The number of issues of the longest chain that begins at a place, by its definition. */
function longestFrom(at: number, edges: readonly PlanEdge[], known = new Map<number, number>()): number {
  const before = known.get(at);
  if (before !== undefined) return before;
  const next = edges.filter(({ from }) => from === at).map(({ to }) => longestFrom(to, edges, known));
  const length = 1 + Math.max(0, ...next);
  known.set(at, length);
  return length;
}

/** Whether a walk along the edges comes back to where it began, from any place. */
function hasCycle(count: number, edges: readonly PlanEdge[]): boolean {
  return [...new Array(count).keys()].some((start) => {
    const reached = new Set<number>();
    const next = [start];
    for (const at of next)
      for (const { from, to } of edges)
        if (from === at && !reached.has(to)) {
          reached.add(to);
          next.push(to);
        }
    return reached.has(start);
  });
}

const isEdge = (edges: readonly PlanEdge[], from: number, to: number) =>
  edges.some((edge) => edge.from === from && edge.to === to);

function expectChain(path: readonly number[], edges: readonly PlanEdge[]): void {
  expect(path.slice(1).filter((at, index) => !isEdge(edges, path[index]!, at))).toEqual([]);
}

describe('the graph of a plan', () => {
  it('has a cycle in its answer exactly when it has one, and that cycle is real', () => {
    fc.assert(
      fc.property(anyGraph, ({ count, edges }) => {
        const checked = checkGraph(count, edges);
        expect('cycle' in checked).toBe(hasCycle(count, edges));
        if (!('cycle' in checked)) return;
        const { cycle } = checked;
        expect(cycle.length).toBeGreaterThan(1);
        expect(cycle[0]).toBe(cycle.at(-1));
        expect(new Set(cycle).size).toBe(cycle.length - 1);
        expectChain(cycle, edges);
      }),
      CASES,
    );
  });

  it('has an order that puts every issue after all that hold it, and a longest chain', () => {
    fc.assert(
      fc.property(acyclicGraph, ({ names, pairs }) => {
        const edges = pairs
          .filter(([one, other]) => one !== other)
          .map(([one, other]) => ({ from: names[Math.min(one, other)]!, to: names[Math.max(one, other)]! }));
        const checked = checkGraph(names.length, edges);
        if ('cycle' in checked) throw new Error('An acyclic graph has no cycle.');
        const { order, critical } = checked;
        expect(order.toSorted((a, b) => a - b)).toEqual([...names.keys()]);
        const rank = new Map(order.map((at, index) => [at, index]));
        expect(edges.filter(({ from, to }) => rank.get(from)! >= rank.get(to)!)).toEqual([]);
        expectChain(critical, edges);
        const known = new Map<number, number>();
        expect(critical).toHaveLength(Math.max(...names.map((at) => longestFrom(at, edges, known))));
      }),
      CASES,
    );
  });

  it('is ordered in waves, each in the order of the plan', () => {
    const edges = [
      { from: 3, to: 0 },
      { from: 1, to: 0 },
      { from: 0, to: 2 },
    ];
    expect(checkGraph(5, edges)).toEqual({ order: [1, 3, 4, 0, 2], critical: [1, 0, 2] });
  });

  it('is checked in a time that grows with its lines alone', () => {
    const count = 20_000;
    const chain = Array.from({ length: count - 1 }, (_, at) => ({ from: at, to: at + 1 }));
    expect(checkGraph(count, chain)).toMatchObject({ critical: { length: count } });
    expect(checkGraph(count, [...chain, { from: count - 1, to: 0 }])).toMatchObject({
      cycle: { length: count + 1 },
    });
  });
});

describe('the names in a plan', () => {
  const known = new Map([
    ['DOCS-7', { id: 'seven', key: 'DOCS-7' }],
    ['seven', { id: 'seven', key: 'DOCS-7' }],
  ]);

  it('lead to issues of the plan before issues that exist', () => {
    const items = [{ ref: 'DOCS-7' }, { ref: 'b', blockedBy: ['DOCS-7', 'seven'] }];
    expect(namedOutside(items)).toEqual(['seven']);
    const { lines, parts, errors } = readTree(items, known);
    expect(errors).toEqual([]);
    expect(lines).toEqual([
      { from: { at: 0 }, to: 1, path: 'issues[1].blockedBy[0]' },
      { from: { issue: known.get('seven') }, to: 1, path: 'issues[1].blockedBy[1]' },
    ]);
    expect(edgesWithin({ lines, parts })).toEqual([{ from: 0, to: 1, path: 'issues[1].blockedBy[0]' }]);
  });

  it.each([
    ['a ref that is used', [{ ref: 'a' }, { ref: 'a' }], 'issues[1].ref', 'is the ref of issues[0] already'],
    ['the issue itself', [{ ref: 'a', blockedBy: ['a'] }], 'issues[0].blockedBy[0]', 'is the issue itself'],
    [
      'a name twice',
      [{ ref: 'a' }, { ref: 'b', blockedBy: ['a', 'a'] }],
      'issues[1].blockedBy[1]',
      'blockedBy[0]',
    ],
    [
      'an issue by id and key',
      [{ ref: 'b', blockedBy: ['seven', 'DOCS-7'] }],
      'issues[0].blockedBy[1]',
      'blockedBy[0]',
    ],
    ['an unknown name', [{ ref: 'a', blockedBy: ['DOCS-8'] }], 'issues[0].blockedBy[0]', 'names neither'],
    ['no text', [{ ref: 'a', blockedBy: [7] }], 'issues[0].blockedBy[0]', 'must be'],
  ])('are refused at their place: %s', (_, items, path, message) => {
    expect(readTree(items, known).errors).toEqual([{ path, message: expect.stringContaining(message) }]);
  });
});

describe('the tree of a plan', () => {
  const known = new Map([['DOCS-7', { id: 'seven', key: 'DOCS-7' }]]);
  const items = [
    { ref: 'a', parent: 'DOCS-7' },
    { ref: 'b', parent: 'a', holdsParent: false },
    { ref: 'c', parent: 'b' },
    { ref: 'd', parent: null },
  ];

  it('has a part for each parent, of the plan or not', () => {
    expect(namedOutside(items)).toEqual(['DOCS-7']);
    const { parts, errors } = readTree(items, known);
    expect(errors).toEqual([]);
    expect(parts).toEqual([
      { child: 0, parent: { issue: known.get('DOCS-7') }, holds: true, path: 'issues[0].parent' },
      { child: 1, parent: { at: 0 }, holds: false, path: 'issues[1].parent' },
      { child: 2, parent: { at: 1 }, holds: true, path: 'issues[2].parent' },
    ]);
  });

  it('blocks where a part holds its parent', () => {
    expect(edgesWithin(readTree(items, known))).toEqual([{ from: 2, to: 1, path: 'issues[2].parent' }]);
  });

  it('has the levels of existing parents above its own', () => {
    expect(levelsIn(items.length, readTree(items, known).parts, () => 3)).toEqual([4, 5, 6, 1]);
  });

  it.each([
    ['itself', 'a', 'is the issue itself'],
    ['an unknown name', 'x', 'names neither'],
  ])('is refused at its place: %s', (_, parent, message) => {
    expect(readTree([{ ref: 'a', parent }], known).errors).toEqual([
      { path: 'issues[0].parent', message: expect.stringContaining(message) },
    ]);
  });
});
