import { describe, expect, it } from '@jest/globals';
import { slugOf } from './slug.js';

const none = new Set<string>();

describe('the slug of a server', () => {
  it.each([
    ['GitHub', 'github'],
    ['Everything (reference)', 'everything-refer'],
    ['Ünïque  Näme!', 'unique-name'],
    ['a-very-long-name-that-ends-in-a-hyphen', 'a-very-long-name'],
    ['fifteen-letters-x', 'fifteen-letters'],
    ['--- 2 ---', '2'],
    ['数据库', 'server'],
    ['', 'server'],
    ['platform', 'platform-2'],
  ])('of %j is %s', (name, slug) => {
    expect(slugOf(name, none)).toBe(slug);
  });

  it('is numbered where it is taken, and still not too long', () => {
    expect(slugOf('Memory', new Set(['memory', 'memory-2']))).toBe('memory-3');
    expect(slugOf('Everything (reference)', new Set(['everything-refer']))).toBe('everything-ref-2');
    expect(slugOf('abcdefghijklm-nop', new Set(['abcdefghijklm-no']))).toBe('abcdefghijklm-2');
  });

  it('has its form whatever the name', () => {
    const taken = new Set<string>();
    for (const name of [
      'A',
      'a',
      '-',
      'é',
      'x'.repeat(99),
      'x'.repeat(99),
      'x- - -y',
      '\u0000',
      'İ',
      'ﬁle',
    ]) {
      const slug = slugOf(name, taken);
      expect(slug).toMatch(/^(?=.{1,16}$)[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(taken).not.toContain(slug);
      taken.add(slug);
    }
  });
});
