import { describe, expect, it } from 'vitest';
import { countOf, sayNumber } from './count';

describe('a number that people read', () => {
  it('has separators from a thousand on', () => {
    expect([999, 1_000, 1_234_567].map(sayNumber)).toEqual(['999', '1,000', '1,234,567']);
  });

  it('has its noun in singular or plural', () => {
    expect([0, 1, 2_000].map((count) => countOf(count, 'agent'))).toEqual([
      '0 agents',
      '1 agent',
      '2,000 agents',
    ]);
    expect(countOf(1, 'agent is', 'agents are')).toBe('1 agent is');
  });
});
