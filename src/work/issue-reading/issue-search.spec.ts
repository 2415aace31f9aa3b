import { describe, expect, it } from '@jest/globals';
import { queryOf, searchTerms } from './issue-search.js';

const queryFor = (q: string) => queryOf(searchTerms(q));

describe('the terms of a search', () => {
  it.each([
    ['card vault', `'card' & 'vault':*`],
    ['  Card,(VAULT) ', `'card' & 'vault':*`],
    ['a b', `'a' & 'b'`],
    ["x' | 'y \\ :* & !z", `'x' & 'y' & 'z'`],
  ])('of %j are its words, of which the last may be a beginning', (q, query) => {
    expect(queryFor(q)).toBe(query);
  });

  it.each([
    ['1.2.3', `'1.2' & '2.3':*`],
    ['v1.2.3-rc.1 fails', `'v1.2' & '2.3' & '3-rc' & 'rc.1' & 'fails':*`],
    ['src/main.ts', `'src/main' & 'main.ts':*`],
    ['PAY-1771', `'pay-1771':*`],
    ['std::list->size c++ #7 end.', `'std' & 'list' & 'size' & 'c' & '7' & 'end':*`],
  ])('of %j are the pairs of joined words', (q, query) => {
    expect(queryFor(q)).toBe(query);
  });

  it.each([
    ['課題', `'課題'`],
    ['日本語', `'日本' & '本語'`],
    ['課', `'課':*`],
    ['APIの仕様v2', `'api' & 'の仕' & '仕様' & 'v2':*`],
    ['안녕 สวัสดี', `'안녕' & 'สว' & 'วั' & 'ัส' & 'สด' & 'ดี'`],
    ['🚀', `'🚀':*`],
    ['𠮷野', `'𠮷野'`],
  ])('of %j are the pairs of neighbours where words have no spaces between them', (q, query) => {
    expect(queryFor(q)).toBe(query);
  });

  it.each([
    ['STRASSE', 'straße'],
    ['ÉTÉ', 'e\u0301te\u0301'],
    ['ПРИВЕТ', 'привет'],
    ['ΟΔΟΣ', 'οδος'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['İSTANBUL', 'istanbul'],
    ['ＡＢＣ', 'abc'],
    ['ｶﾀｶﾅ', 'カタカナ'],
    ['ᲡᲐᲥ', 'საქ'],
  ])('of %j and %j are equal', (one, other) => {
    expect(queryFor(one)).toBe(queryFor(other));
  });

  it.each(['', '%', ' -- ', '。', '\u200b', '...'])('do not exist in %j', (q) => {
    expect(searchTerms(q)).toEqual([]);
  });

  it('carry the mark of the lexemes to look for, and are cut as in the database', () => {
    expect(queryOf(searchTerms('two words'), 't ')).toBe(`'t two' & 't words':*`);
    expect(queryFor('x'.repeat(300))).toBe(`'${'x'.repeat(200)}':*`);
  });
});
