import { expect, it } from '@jest/globals';
import { statusAfter } from './verification-result.js';

it.each([
  ['enabled', 'ok', 'enabled'],
  ['enabled', 'error', 'error'],
  ['error', 'ok', 'enabled'],
  ['error', 'error', 'error'],
  ['disabled', 'ok', 'disabled'],
  ['disabled', 'error', 'disabled'],
] as const)('a server with status %s whose verification is %s gets status %s', (before, status, after) => {
  expect(statusAfter(before, { status })).toBe(after);
});
