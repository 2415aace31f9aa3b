import { describe, expect, it } from 'vitest';
import { decisionOf } from './answers';

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
