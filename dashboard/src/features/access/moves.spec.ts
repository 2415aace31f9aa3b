import { describe, expect, it } from 'vitest';
import { moved } from './grants';

const size = { rows: 3, columns: 4 };
const from = (row: number, column: number, key: string, control = false) =>
  moved({ row, column }, key, control, size);

describe('moved', () => {
  it.each([
    ['ArrowUp', { row: 0, column: 2 }],
    ['ArrowDown', { row: 2, column: 2 }],
    ['ArrowLeft', { row: 1, column: 1 }],
    ['ArrowRight', { row: 1, column: 3 }],
    ['Home', { row: 1, column: 0 }],
    ['End', { row: 1, column: 3 }],
  ])('%s leads to %j', (key, position) => {
    expect(from(1, 2, key)).toEqual(position);
  });

  it('stays inside the grid', () => {
    expect(from(0, 0, 'ArrowUp')).toEqual({ row: 0, column: 0 });
    expect(from(2, 3, 'ArrowRight')).toEqual({ row: 2, column: 3 });
  });

  it('leads to the corners with Ctrl', () => {
    expect([from(1, 2, 'Home', true), from(1, 2, 'End', true)]).toEqual([
      { row: 0, column: 0 },
      { row: 2, column: 3 },
    ]);
  });

  it('is null for any other key', () => {
    expect(from(1, 1, 'Enter')).toBeNull();
  });
});

describe('moved in a grid with rows whose head takes the focus', () => {
  const heads = { rows: 3, columns: 4, firstOf: (row: number) => (row === 0 ? -1 : 0) };
  const to = (row: number, column: number, key: string) => moved({ row, column }, key, false, heads);

  it('leads to the head and from it to the first cell of a row without one', () => {
    expect(to(0, 0, 'ArrowLeft')).toEqual({ row: 0, column: -1 });
    expect(to(0, -1, 'ArrowLeft')).toEqual({ row: 0, column: -1 });
    expect(to(0, -1, 'ArrowDown')).toEqual({ row: 1, column: 0 });
    expect(to(1, 0, 'ArrowLeft')).toEqual({ row: 1, column: 0 });
    expect(to(0, -1, 'ArrowRight')).toEqual({ row: 0, column: 0 });
  });
});
