import { expect, it } from '@jest/globals';
import { storedResult } from './approved-executions.service.js';

const text = (value: string) => ({ type: 'text', text: value });

it('keeps a result as it is', () => {
  const result = {
    content: [text('a'), { type: 'image', data: 'AA==' }],
    structuredContent: { b: [1, null] },
  };
  expect(storedResult(result)).toEqual(result);
});

it('replaces what the database rejects', () => {
  expect(storedResult({ content: [text('a\0b\ud800')], 'k\0': 1 })).toEqual({
    content: [text('a\ufffdb\ufffd')],
    'k\ufffd': 1,
  });
});

it('cuts a result that is too large, with a note, and keeps that it is an error', () => {
  const large = { content: [text('\u0001'.repeat(300_000))], isError: true };
  const stored = storedResult(large) as { content: { text: string }[]; isError: boolean };
  expect(Buffer.byteLength(JSON.stringify(stored))).toBeLessThanOrEqual(262_144);
  expect(stored.content[1]!.text).toContain('256 KiB');
  expect(stored.isError).toBe(true);
});
