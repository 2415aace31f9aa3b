import { describe, expect, it } from 'vitest';
import { decisionOf, extensionOf } from './answers';

describe('decisionOf', () => {
  it('sends the scope of an approval, and a note where there is one', () => {
    expect(decisionOf('approve', 'issue', ' Only on staging. ')).toEqual({
      decision: 'approve',
      scope: 'issue',
      note: 'Only on staging.',
    });
  });

  it('sends a denial without a scope', () => {
    expect(decisionOf('deny', 'issue', ' ')).toEqual({ decision: 'deny' });
  });
});

describe('extensionOf', () => {
  it('doubles a limit that was just reached', () => {
    expect(extensionOf(1_500, 1_500)).toBe(1_500);
  });

  it.each([
    [1_500, 2_399],
    [1_500, 2_400],
    [1_500, 4_017],
    [100, 1_000],
  ])('brings a limit of %i, of which %i are used, below four fifths', (limit, used) => {
    const after = limit + extensionOf(limit, used);
    expect(used / after).toBeLessThan(0.8);
    expect(used / (after - limit)).toBeGreaterThanOrEqual(0.8);
  });
});
