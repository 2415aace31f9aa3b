import { describe, expect, it } from '@jest/globals';
import { freeName, slugOf } from './installation.service.js';

const none = new Set<string>();

describe('freeName', () => {
  it('appends the next free number to a name that is taken', () => {
    expect(freeName('Memory', new Set())).toBe('Memory');
    expect(freeName('Memory', new Set(['Memory']))).toBe('Memory 2');
    expect(freeName('Memory', new Set(['Memory', 'Memory 2', 'Memory 4']))).toBe('Memory 3');
  });

  it('returns at most 200 code points, the number included', () => {
    const longest = '🦆'.repeat(200);
    const name = freeName(longest, new Set([longest]));
    expect([...name]).toHaveLength(200);
    expect(name).toMatch(/🦆 2$/u);
  });
});

describe('slugOf', () => {
  it.each([
    ['GitHub', 'github'],
    ['Everything (reference)', 'everything'],
    ['Sequential Thinking', 'sequential'],
    ['Supercalifragilistic server', 'supercalifragili'],
    ['Ünïque  Näme!', 'unique-name'],
    ['a-very-long-name-that-ends-in-a-hyphen', 'a-very-long-name'],
    ['fifteen-letters-x', 'fifteen-letters'],
    ['sixteen-letters-x of a name', 'sixteen-letters'],
    ['exactly-sixteen- letters', 'exactly-sixteen'],
    ['--- 2 ---', '2'],
    ['数据库', 'server'],
    ['', 'server'],
    ['platform', 'platform-2'],
  ])('turns %j into %s', (name, slug) => {
    expect(slugOf(name, none)).toBe(slug);
  });

  it('numbers a slug that is taken and keeps it within 16 characters', () => {
    expect(slugOf('Memory', new Set(['memory', 'memory-2']))).toBe('memory-3');
    expect(slugOf('Everything (reference)', new Set(['everything']))).toBe('everything-2');
    expect(slugOf('Microsoft Learn', new Set(['microsoft-learn']))).toBe('microsoft-2');
    expect(slugOf('abcdefghijklmnopq', new Set(['abcdefghijklmnop']))).toBe('abcdefghijklmn-2');
  });

  it('returns a free slug of the required form for every name', () => {
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
