import { describe, expect, it } from 'vitest';
import { outcomeWords } from './elevated-gate';

describe('outcomeWords', () => {
  it.each(['done', 'expired', 'cancelled', 'refused', 'invalid', 'unavailable', 'forbidden'])(
    'has own words for %s',
    (outcome) => {
      expect(outcomeWords(outcome)).not.toEqual(outcomeWords('something_new'));
    },
  );

  it('has a sentence for a word that it does not know, also for one that every object has', () => {
    for (const word of ['something_new', 'constructor'])
      expect(outcomeWords(word)[0]).toBe('The sign-in did not work.');
  });
});
