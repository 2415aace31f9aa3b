import { describe, expect, it } from 'vitest';
import { agentsAfter } from './edit-profile';

describe('agentsAfter', () => {
  it('adds and removes what the person chose', () => {
    expect(agentsAfter(['a', 'b'], ['a', 'b'], ['b', 'c'])).toEqual(['b', 'c']);
  });

  it('keeps what another admin added or removed meanwhile', () => {
    expect(agentsAfter(['b', 'new'], ['a', 'b'], ['a', 'b', 'c'])).toEqual(['b', 'new', 'c']);
  });
});
