import { describe, expect, it } from '@jest/globals';
import { reachedLimit } from './budget-limits-and-amounts.js';

const none = { tokens: null, costMicros: null, turns: null, toolCalls: null, wallSeconds: null };
const used = { tokens: 100, costMicros: 5, turns: 3, toolCalls: 0, wallSeconds: 60 };

describe('reachedLimit', () => {
  it('returns null below every limit, and without one', () => {
    expect(reachedLimit({ ...none, extra: {}, used })).toBeNull();
    expect(reachedLimit({ ...none, tokens: 101, turns: 4, extra: {}, used })).toBeNull();
  });

  it('returns a limit that is used up exactly', () => {
    const reached = { measure: 'tokens', limit: 100, used: 100 };
    expect(reachedLimit({ ...none, tokens: 100, extra: {}, used })).toEqual(reached);
  });

  it('adds what the period was extended by', () => {
    expect(reachedLimit({ ...none, turns: 2, extra: { turns: 2 }, used })).toBeNull();
    expect(reachedLimit({ ...none, turns: 2, extra: { turns: 1 }, used })).toMatchObject({ limit: 3 });
    expect(reachedLimit({ ...none, turns: 2, extra: { tokens: 9 }, used })).toMatchObject({ limit: 2 });
  });

  it('looks at the measures that it is given only', () => {
    expect(reachedLimit({ ...none, turns: 1, extra: {}, used }, ['tokens', 'costMicros'])).toBeNull();
  });
});
