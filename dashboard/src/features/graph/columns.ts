/**
 * Places the boxes of a graph without cycles in columns, so that each line leads to the right (Sugiyama's method). A library
 * for it was 14 kB of the 78 kB of this screen; what the service sends has some hundred boxes at most.
 */
interface Box {
  id: string;
  height: number;
}
interface Line {
  source: string;
  target: string;
}
interface Spacing {
  /** From the left of a column to the left of the next. */
  column: number;
  /** Between two boxes of a column. */
  gap: number;
}

/** A box, or a bend: where a line passes a column. */
interface Spot {
  height: number;
  column: number;
  /** The middle. */
  y: number;
  left: Spot[];
  right: Spot[];
}

type Side = 'left' | 'right';

/** How often the columns are gone through; more changes nothing that one would see. */
const ROUNDS = 8;

/** Returns the left upper corner of each box. The highest one is at 0, and so is the first column. */
export function inColumns(
  boxes: readonly Box[],
  lines: readonly Line[],
  { column, gap }: Spacing,
): Map<string, { x: number; y: number }> {
  const spots = new Map(
    boxes.map(({ id, height }): [string, Spot] => [id, { height, column: 0, y: 0, left: [], right: [] }]),
  );
  for (const { source, target } of lines) connect(spots.get(source)!, spots.get(target)!);
  setColumns([...spots.values()]);
  const columns = columnsOf([...spots.values()]);
  order(columns);
  settle(columns, gap);
  const top = Math.min(...[...spots.values()].map(({ y, height }) => y - height / 2));
  const first = Math.min(...[...spots.values()].map((spot) => spot.column));
  return new Map(
    [...spots].map(([id, spot]) => [
      id,
      { x: (spot.column - first) * column, y: spot.y - spot.height / 2 - top },
    ]),
  );
}

function connect(from: Spot, to: Spot): void {
  from.right.push(to);
  to.left.push(from);
}

/** Each box stands right of all that lead to it. What leads to more than leads to it stands beside the first of them. */
function setColumns(spots: readonly Spot[]): void {
  const open = new Map(spots.map((spot) => [spot, spot.left.length]));
  const sorted = spots.filter(({ left }) => left.length === 0);
  // The service refuses links that close a cycle, so each box comes to be sorted.
  for (const spot of sorted)
    for (const next of spot.right) {
      next.column = Math.max(next.column, spot.column + 1);
      open.set(next, open.get(next)! - 1);
      if (open.get(next) === 0) sorted.push(next);
    }
  for (const spot of sorted.toReversed())
    if (spot.right.length > spot.left.length)
      spot.column = Math.min(...spot.right.map((next) => next.column)) - 1;
}

/** The columns from left to right, with a bend in each column that a line passes. */
function columnsOf(spots: readonly Spot[]): Spot[][] {
  const columns: Spot[][] = [];
  const place = (spot: Spot) => (columns[spot.column] ??= []).push(spot);
  const links = spots.flatMap((from) => from.right.map((to) => ({ from, to })));
  for (const spot of spots) {
    Object.assign(spot, { left: [], right: [] });
    place(spot);
  }
  for (const { from, to } of links) {
    let last = from;
    for (let column = from.column + 1; column < to.column; column += 1) {
      const bend: Spot = { height: 0, column, y: 0, left: [], right: [] };
      connect(last, bend);
      place(bend);
      last = bend;
    }
    connect(last, to);
  }
  return columns.filter(Boolean);
}

/** Puts each column in the order of its neighbours, from the left and from the right in turn; the order with the fewest crossings stays. */
function order(columns: Spot[][]): void {
  let best = columns.map((column) => [...column]);
  let fewest = crossingsOf(columns);
  for (let round = 0; round < ROUNDS && fewest > 0; round += 1) {
    const side: Side = round % 2 === 0 ? 'left' : 'right';
    for (const column of side === 'left' ? columns : columns.toReversed()) {
      number(columns);
      const wish = new Map(column.map((spot, at) => [spot, mean(spot[side]) ?? at]));
      column.sort((a, b) => wish.get(a)! - wish.get(b)!);
    }
    const crossings = crossingsOf(columns);
    if (crossings >= fewest) continue;
    fewest = crossings;
    best = columns.map((column) => [...column]);
  }
  for (const [at, column] of best.entries()) columns[at] = column;
}

/** Gives each spot its place in its column as height. */
function number(columns: readonly Spot[][]): void {
  for (const column of columns) for (const [at, spot] of column.entries()) spot.y = at;
}

/** How many pairs of lines cross between two columns, in all. */
function crossingsOf(columns: readonly Spot[][]): number {
  number(columns);
  return columns.reduce((sum, column) => {
    const ends = column.flatMap((from) => from.right.map((to) => to.y).sort((a, b) => a - b));
    return (
      sum + ends.reduce((count, y, at) => count + ends.slice(0, at).filter((above) => above > y).length, 0)
    );
  }, 0);
}

/** Moves each spot to the height of its neighbours, as far as the others of its column let it. */
function settle(columns: readonly Spot[][], gap: number): void {
  for (const column of columns) spread(column, gap, () => 0);
  for (let round = 0; round < ROUNDS; round += 1) {
    const side: Side = round % 2 === 0 ? 'left' : 'right';
    for (const column of side === 'left' ? columns : columns.toReversed())
      spread(column, gap, (spot) => mean(spot[side]) ?? spot.y);
  }
  // What leads to one box stands level with it, whichever side was the last.
  for (const column of columns) spread(column, gap, (spot) => mean([...spot.left, ...spot.right]) ?? spot.y);
}

/**
 * Gives the spots of a column the heights that are nearest to those that they wish for, in their order and without an overlap:
 * those that would overlap become one block, which stands in the middle of their wishes.
 */
function spread(column: readonly Spot[], gap: number, wishOf: (spot: Spot) => number): void {
  const blocks: { spots: Spot[]; offsets: number[]; sum: number }[] = [];
  const top = (block: (typeof blocks)[number]) => block.sum / block.spots.length;
  for (const spot of column) {
    let block = { spots: [spot], offsets: [0], sum: wishOf(spot) };
    for (let above = blocks.at(-1); above !== undefined; above = blocks.at(-1)) {
      const down = above.offsets.at(-1)! + (above.spots.at(-1)!.height + block.spots[0]!.height) / 2 + gap;
      if (top(above) + down <= top(block)) break;
      blocks.pop();
      block = {
        spots: [...above.spots, ...block.spots],
        offsets: [...above.offsets, ...block.offsets.map((offset) => offset + down)],
        sum: above.sum + block.sum - down * block.spots.length,
      };
    }
    blocks.push(block);
  }
  for (const block of blocks)
    for (const [at, spot] of block.spots.entries()) spot.y = top(block) + block.offsets[at]!;
}

const mean = (spots: readonly Spot[]): number | null =>
  spots.length === 0 ? null : spots.reduce((sum, { y }) => sum + y, 0) / spots.length;
