import { describe, expect, it } from 'vitest';
import { matches } from './activity-screen';

const event = { type: 'issue.created', actor: { type: 'user', id: 'u1', name: 'Ada' } };

describe('matches', () => {
  it('keeps everything without a filter', () => {
    expect(matches({}, event)).toBe(true);
  });

  it('keeps the types of a family only', () => {
    expect(matches({ type: 'issue.*' }, event)).toBe(true);
    expect(matches({ type: 'login.*' }, event)).toBe(false);
    expect(matches({ type: 'issue.updated' }, event)).toBe(false);
  });

  it('keeps the entries of one actor only', () => {
    expect(matches({ actorId: 'u1' }, event)).toBe(true);
    expect(matches({ actorId: 'u2' }, event)).toBe(false);
  });
});
