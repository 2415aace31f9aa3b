import { describe, expect, it } from 'vitest';
import { grant, index } from './access.fixture';
import { askWordsOf, fromWords, setWords, wordsOf } from './cells';
import { effectOf, noGrant, type Extent, type Grant } from './grants';

describe('the words of a cell', () => {
  const wordsFor = (one: Grant, tools: number | null) => wordsOf(one, effectOf(one, []), tools);

  it.each<[Extent, number | null, string]>([
    ['none', 22, 'None'],
    ['refused', 22, 'Refused'],
    ['all', 22, 'All'],
    [['x'], 22, '1 of 22'],
    [['x', 'y'], null, '2 tools'],
  ])('of %j with %s tools are %s', (has, tools, words) => {
    expect(wordsFor(grant(has), tools)).toBe(words);
  });

  it.each<[Extent, Grant['ask'], string | null]>([
    ['all', 'writes', 'asks for writes'],
    ['all', ['x', 'y'], 'asks for 2'],
    ['all', null, null],
    ['none', 'writes', null],
  ])('of %j that asks %j add %j', (has, ask, words) => {
    expect(askWordsOf(effectOf(grant(has, ask), []))).toBe(words);
  });

  it('name the source where it is not a grant alone, and the set where it is not the default', () => {
    const byProfile = effectOf(noGrant, index.givenTo('b', 't'));
    expect([fromWords(byProfile), setWords(byProfile)]).toEqual(['by Writers', 'team']);
    const granted = effectOf(grant('all'), []);
    expect([fromWords(granted), setWords(granted)]).toEqual([null, null]);
  });
});
