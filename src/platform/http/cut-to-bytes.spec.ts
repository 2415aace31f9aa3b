import { expect, it } from '@jest/globals';
import { cutToBytes } from './text-and-instant-rules.js';

it.each([
  ['a text that fits', 'abc', 3, 'abc'],
  ['ASCII', 'abcdef', 4, 'abcd'],
  ['a character of two bytes at the end', 'abcé', 4, 'abc'],
  ['a surrogate pair at the end', 'ab\u{1f4a9}', 5, 'ab'],
  ['a surrogate pair that fits', 'a\u{1f4a9}b', 5, 'a\u{1f4a9}'],
])('cuts %s between two characters', (_, text, most, cut) => {
  expect(cutToBytes(text, most)).toBe(cut);
  expect(Buffer.byteLength(cutToBytes(text, most))).toBeLessThanOrEqual(most);
});
