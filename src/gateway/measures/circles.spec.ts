import { describe, expect, it } from '@jest/globals';
import { stuckInCircles } from './circles.js';

const edges = (...pairs: string[]) => pairs.map(([source, target]) => ({ source: source!, target: target! }));

describe('stuckInCircles', () => {
  it('finds nothing in what has an end', () => {
    expect(stuckInCircles([])).toBe(0);
    expect(stuckInCircles(edges('ab', 'bc', 'ac', 'cd', 'xd'))).toBe(0);
  });

  it('counts a circle, and what waits behind it', () => {
    expect(stuckInCircles(edges('ab', 'ba'))).toBe(2);
    expect(stuckInCircles(edges('xa', 'ab', 'bc', 'ca', 'cd'))).toBe(4);
  });
});
