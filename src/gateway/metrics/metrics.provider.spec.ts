import { describe, expect, it } from '@jest/globals';
import { countStuckInCycles } from './metrics.provider.js';

const edges = (...pairs: string[]) => pairs.map(([source, target]) => ({ source: source!, target: target! }));

describe('countStuckInCycles', () => {
  it('returns 0 for a graph without a cycle', () => {
    expect(countStuckInCycles([])).toBe(0);
    expect(countStuckInCycles(edges('ab', 'bc', 'ac', 'cd', 'xd'))).toBe(0);
  });

  it('counts the issues of a cycle and those that wait behind it', () => {
    expect(countStuckInCycles(edges('ab', 'ba'))).toBe(2);
    expect(countStuckInCycles(edges('xa', 'ab', 'bc', 'ca', 'cd'))).toBe(4);
  });
});
