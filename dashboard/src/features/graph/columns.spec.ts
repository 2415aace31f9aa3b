import { describe, expect, it } from 'vitest';
import { inColumns } from './columns';

const SPACING = { column: 100, gap: 10 };
const HEIGHT = 40;
const place = (...lines: string[]) => {
  const links = lines.map((line) => ({ source: line[0]!, target: line[1]! }));
  const ids = [...new Set(lines.flatMap((line) => [...line]))];
  const places = inColumns(
    ids.map((id) => ({ id, height: HEIGHT })),
    links,
    SPACING,
  );
  return (id: string) => places.get(id)!;
};

describe('inColumns', () => {
  it('puts a chain in one row, from left to right', () => {
    const at = place('ab', 'bc');
    expect(['a', 'b', 'c'].map(at)).toEqual([
      { x: 0, y: 0 },
      { x: 100, y: 0 },
      { x: 200, y: 0 },
    ]);
  });

  it('puts a box right of all that lead to it, and what leads on beside the first of them', () => {
    const at = place('ab', 'bc', 'ac', 'dc');
    expect(['a', 'b', 'c', 'd'].map((id) => at(id).x)).toEqual([0, 100, 200, 100]);
  });

  it('puts a box in the middle of those that lead from it, which stand below each other without an overlap', () => {
    const at = place('ab', 'ac', 'ad');
    const heights = ['b', 'c', 'd'].map((id) => at(id).y);
    expect(heights).toEqual([0, 50, 100]);
    expect(at('a').y).toBe(50);
  });

  it('orders the columns so that no lines cross where none have to', () => {
    const at = place('ax', 'by', 'cz', 'xr', 'yq', 'zp');
    const order = (ids: string) => [...ids].toSorted((one, other) => at(one).y - at(other).y).join('');
    const lines = order('abc').replaceAll('a', 'x').replaceAll('b', 'y').replaceAll('c', 'z');
    expect(order('xyz')).toBe(lines);
    expect(order('pqr')).toBe(lines.replaceAll('x', 'r').replaceAll('y', 'q').replaceAll('z', 'p'));
  });

  it('untangles lines that cross in the order in which they come', () => {
    const at = place('ad', 'bc', 'ae', 'bf');
    const above = (one: string, other: string) => at(one).y < at(other).y;
    expect(above('d', 'c')).toBe(above('a', 'b'));
    expect(above('e', 'f')).toBe(above('a', 'b'));
  });

  it('keeps room for a line that passes a column', () => {
    const at = place('ab', 'bc', 'ac');
    expect(at('b').y).not.toBe((at('a').y + at('c').y) / 2);
  });

  it('places boxes without lines below each other', () => {
    const places = inColumns(
      ['a', 'b'].map((id) => ({ id, height: HEIGHT })),
      [],
      SPACING,
    );
    expect([...places.values()]).toEqual([
      { x: 0, y: 0 },
      { x: 0, y: 50 },
    ]);
  });
});
