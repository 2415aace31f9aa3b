import { describe, expect, it } from 'vitest';
import { linesAgainst } from './edit-issue';

const changed = (before: string, text: string) =>
  linesAgainst(before, text)
    .filter((line) => line.changed)
    .map(({ text: line }) => line);

describe('linesAgainst', () => {
  it('marks the lines that an earlier version did not have', () => {
    expect(changed('one\ntwo\nthree', 'one\nTWO\nthree\nfour')).toEqual(['TWO', 'four']);
  });

  it('marks a line that now stands there twice', () => {
    expect(changed('one', 'one\none')).toEqual(['one']);
  });

  it('marks nothing of the same text', () => {
    expect(changed('a\n\nb', 'a\n\nb')).toEqual([]);
  });
});
