import { describe, expect, it } from '@jest/globals';
import { fittingFirst, fittingLast, fittingText, sizeOf } from './result-pages.service.js';

describe('the part of a text that fits', () => {
  it.each([
    ['plain', 'a'.repeat(500)],
    ['escaped', '"\n\u0001'.repeat(200)],
    ['surrogate pairs', '😀'.repeat(200)],
  ])('is as long as possible in JSON, and no character is cut: %s', (_, text) => {
    for (const room of [0, 3, 10, 99, 100, 101]) {
      const part = fittingText(text, room);
      expect(text.startsWith(part)).toBe(true);
      expect(part).not.toMatch(/[\uD800-\uDBFF]$/);
      if (part !== '') expect(sizeOf(part)).toBeLessThanOrEqual(room);
      const next = [...text.slice(part.length)][0]!;
      expect(sizeOf(part + next)).toBeGreaterThan(room);
    }
  });

  it('is the whole text where that fits', () => {
    expect(fittingText('abc', 6)).toBe('abc');
    expect(fittingText('', 0)).toBe('');
  });
});

it('keeps the first or the last values that fit, in their order', () => {
  const values = ['aa', 'bb', 'cc'];
  expect(fittingFirst(values, 10)).toEqual(['aa', 'bb']);
  expect(fittingLast(values, 10)).toEqual(['bb', 'cc']);
  expect(fittingFirst(values, 15)).toEqual(values);
  expect(fittingLast(values, 4)).toEqual([]);
});
