import { expect, it } from '@jest/globals';
import { statusAfter } from './status-after.js';

it.each([
  ['enabled', 'ok', 'enabled'],
  ['enabled', 'error', 'error'],
  ['error', 'ok', 'enabled'],
  ['error', 'error', 'error'],
  ['disabled', 'ok', 'disabled'],
  ['disabled', 'error', 'disabled'],
] as const)('a server that was %s and verifies with %s is %s', (before, status, after) => {
  expect(statusAfter(before, { status })).toBe(after);
});
