import { describe, expect, it } from 'vitest';
import { costOf, sayFigure, timeOf } from './queries';

describe('costOf', () => {
  it('never shows a cost as nothing', () => {
    expect([costOf(0), costOf(1), costOf(9_999), costOf(10_000), costOf(1_240_000)]).toEqual([
      '$0.00',
      '< $0.01',
      '< $0.01',
      '$0.01',
      '$1.24',
    ]);
  });
});

describe('timeOf', () => {
  it('counts hours without end', () => {
    expect([0, 59, 60, 3_600, 18_720, 360_000].map(timeOf)).toEqual([
      '0 min',
      '< 1 min',
      '1 min',
      '1 h',
      '5 h 12 min',
      '100 h',
    ]);
  });
});

describe('sayFigure', () => {
  it('shortens tokens and keeps every turn', () => {
    expect(sayFigure('tokens', 1_234_567)).toBe('1.2M');
    expect(sayFigure('turns', 1_234)).toBe('1,234');
  });
});
