import { expect, it } from '@jest/globals';
import { ownPath } from './origins-and-redirects.js';

it.each(['/', '/p/DOCS/board', '/servers?tab=logs&next=/x#top', '/i/DOCS-1'])('keeps %s', (path) => {
  expect(ownPath(path)).toBe(path);
});

it.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  ' //evil.example',
  'javascript:alert(1)',
  'evil.example',
  '@evil.example',
  '',
  `/${'x'.repeat(2_000)}`,
  undefined,
  ['/a', '/b'],
])('replaces %j by the first page', (wanted) => {
  expect(ownPath(wanted)).toBe('/');
});
