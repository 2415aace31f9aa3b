import type { Relations } from './relations';

type Positions = ReadonlyMap<string, { x: number; y: number }>;

/** Where an arrow key leads from an issue: along the links to the sides, to the next in the column up and down. */
export function walk(key: string, from: string, relations: Relations, positions: Positions): string | null {
  const here = positions.get(from);
  if (here === undefined) return null;
  const nearest = (ids: readonly string[]): string | null =>
    ids.toSorted((a, b) => distance(positions, a, here.y) - distance(positions, b, here.y))[0] ?? null;
  const column = [...positions].filter(([id, { x }]) => id !== from && x === here.x);
  switch (key) {
    case 'ArrowLeft':
      return nearest(relations.blockersOf(from).map(({ id }) => id));
    case 'ArrowRight':
      return nearest(relations.dependentsOf(from).map(({ id }) => id));
    case 'ArrowUp':
      return nearest(column.filter(([, { y }]) => y < here.y).map(([id]) => id));
    case 'ArrowDown':
      return nearest(column.filter(([, { y }]) => y > here.y).map(([id]) => id));
    default:
      return null;
  }
}

const distance = (positions: Positions, id: string, y: number): number => Math.abs(positions.get(id)!.y - y);
