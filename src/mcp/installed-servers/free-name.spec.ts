import { expect, it } from '@jest/globals';
import { freeName } from './free-name.js';

it('a name that is taken gets the next number', () => {
  expect(freeName('Memory', new Set())).toBe('Memory');
  expect(freeName('Memory', new Set(['Memory']))).toBe('Memory 2');
  expect(freeName('Memory', new Set(['Memory', 'Memory 2', 'Memory 4']))).toBe('Memory 3');
});

it('a name stays within 200 code points with its number', () => {
  const longest = '🦆'.repeat(200);
  const name = freeName(longest, new Set([longest]));
  expect([...name]).toHaveLength(200);
  expect(name).toMatch(/🦆 2$/u);
});
