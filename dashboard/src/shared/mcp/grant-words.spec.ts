import { describe, expect, it } from 'vitest';
import { askWords, extentWords, sourceWords } from './effective-access';

describe('extentWords', () => {
  it.each<[string[] | null, number | null, string]>([
    [null, 22, 'All 22 tools'],
    [null, null, 'All tools'],
    [['a'], 22, '1 of 22 tools'],
  ])('of %j with %s is %s', (tools, total, words) => {
    expect(extentWords(tools, total)).toBe(words);
  });
});

describe('askWords', () => {
  it('names the role and the calls, and is null where nothing is asked', () => {
    expect(askWords(null, 'Editor')).toBeNull();
    expect(askWords('writes', 'Editor')).toBe(
      'Editors and above approve each call that may change something',
    );
    expect(askWords(['push'], 'Admin')).toBe('Admins approve calls of push');
    expect(askWords(['push', 'drop'], 'Admin')).toBe('Admins approve calls of 2 tools');
  });
});

describe('sourceWords', () => {
  it.each<[boolean, string[], string]>([
    [true, [], 'granted'],
    [false, ['Writers'], 'by Writers'],
    [true, ['Writers', 'Readers'], 'granted and by 2 profiles'],
  ])('of a grant (%s) and the profiles %j is %s', (isGranted, profiles, words) => {
    expect(sourceWords({ isGranted, profiles })).toBe(words);
  });
});
