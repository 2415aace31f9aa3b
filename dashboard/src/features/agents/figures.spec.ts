import { describe, expect, it } from 'vitest';
import type { AgentBudget } from '../../api/types';
import { activityWords, nearestLimit } from './figures';

describe('activityWords', () => {
  it('says how much there was, and when most of it', () => {
    expect(activityWords([0, 0, 0])).toBe('No activity in 24 hours');
    expect(activityWords([4, 30, 2])).toBe('36 turns and calls in 24 hours, most of them 1 hour ago: 30');
    expect(activityWords([1, 0, 0])).toBe('1 turn or call in 24 hours, most of them 2 hours ago: 1');
    expect(activityWords([2, 3])).toMatch(/in this hour: 3$/);
  });
});

describe('nearestLimit', () => {
  const none = { tokens: null, costMicros: null, turns: null, toolCalls: null, wallSeconds: null };
  const used = { tokens: 0, costMicros: 4_020_000, turns: 59, toolCalls: 0, wallSeconds: 0 };
  const budget = (limits: Partial<AgentBudget['limits']>): AgentBudget => ({
    ...{ period: 'day', stopped: false, used },
    limits: { ...none, ...limits },
  });

  it('is the limit of which most is used, in its unit', () => {
    expect(nearestLimit(budget({ costMicros: 5_000_000, turns: 600 }))).toEqual({
      share: 0.804,
      words: '$4.02 of $5.00 per day',
    });
    expect(nearestLimit(budget({ costMicros: 5_000_000, turns: 60 }))?.words).toBe('59 of 60 turns per day');
  });

  it('is none without a budget', () => {
    expect(nearestLimit(null)).toBeNull();
  });
});
