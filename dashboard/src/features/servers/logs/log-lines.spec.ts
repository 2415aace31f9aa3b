import { describe, expect, it } from 'vitest';
import { linesToShow, readsLikeFailure } from './logs-tab';

const line = (text: string) => ({
  at: '2026-11-22T08:00:00.000Z',
  text,
  process: 'host 1',
  credentialSet: 'default',
});

describe('linesToShow', () => {
  it('finds a part of a line in any case', () => {
    const lines = [line('Server is listening'), line('429 from upstream')];
    expect(linesToShow(lines, ' LISTEN ')).toEqual({ lines: [lines[0]], matching: 1, total: 2 });
  });

  it('shows the newest 500 lines', () => {
    const lines = Array.from({ length: 700 }, (_, at) => line(`line ${at}`));
    const shown = linesToShow(lines, '');
    expect([shown.lines.length, shown.lines[0]?.text, shown.matching]).toEqual([500, 'line 200', 700]);
  });
});

describe('readsLikeFailure', () => {
  it.each([
    ['[error] no route', true],
    ['Traceback (most recent call last):', true],
    ['0 errors found', false],
    ['listening', false],
  ])('of %j is %s', (text, expected) => {
    expect(readsLikeFailure(text)).toBe(expected);
  });
});
