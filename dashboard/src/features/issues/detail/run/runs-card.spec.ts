import { describe, expect, it } from 'vitest';
import { extended, shownLine } from './runs-card';

describe('the output of a run', () => {
  const long = Array.from({ length: 40 }, (_, at) => `line number ${at}`);

  it('grows by what each report adds to the one before', () => {
    const reports = [long.slice(0, 20), long.slice(10, 30), long.slice(25, 40)].map((part) =>
      part.join('\n'),
    );
    expect(reports.reduce(extended)).toBe(long.join('\n'));
  });

  it('goes on within a line that a report cut', () => {
    const text = long.join('\n');
    expect(extended(text.slice(0, 300), text.slice(157, 420))).toBe(text.slice(0, 420));
  });

  it('stays where the same report comes again', () => {
    expect(extended('one\ntwo', 'one\ntwo')).toBe('one\ntwo');
    expect(extended('one\ntwo', '')).toBe('one\ntwo');
    expect(extended('', 'one')).toBe('one');
  });

  it('says where lines are missing between two reports', () => {
    expect(extended(long.slice(0, 5).join('\n'), long.slice(20, 22).join('\n'))).toContain(
      'line number 4\n[…]\nline number 20',
    );
  });
});

describe('a line of a log', () => {
  it('of a runner is its kind and text with the time beside it', () => {
    expect(shownLine('{"at":"2026-11-02T08:00:00.000Z","kind":"output","data":"Reading"}')).toEqual({
      at: '2026-11-02T08:00:00.000Z',
      text: 'output Reading',
    });
  });

  it.each(['plain text', '{"at":"2026-11-02T08:00', '{"level":30}'])(
    'of another form stays as it is: %s',
    (text) => {
      expect(shownLine(text)).toEqual({ text });
    },
  );
});
