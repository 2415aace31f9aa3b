import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { moved, type GridSize, type Position } from './moves';

const ROW_PX = 44;
const HEAD_PX = 56;
const OVERSCAN = 6;

/**
 * A grid with one tab stop and arrow keys inside, of whose rows only those near the view are in the document: 500 agents
 * and 50 servers are 25,000 cells. The row with the tab stop stays, so that scrolling takes the focus from no one.
 */
export function useGrid(
  scroll: RefObject<HTMLElement | null>,
  size: GridSize,
  keyOf: (row: number) => string,
) {
  const [at, setAt] = useState<Position>({ row: 0, column: 0 });
  const stop = { row: Math.min(at.row, size.rows - 1), column: Math.min(at.column, size.columns - 1) };
  const isMoving = useRef(false);
  const rows = useVirtualizer({
    count: size.rows,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    getItemKey: keyOf,
    overscan: OVERSCAN,
    // The head of the table covers the first rows in view.
    scrollPaddingEnd: HEAD_PX,
    rangeExtractor: (range: Range) =>
      [...new Set([stop.row, ...defaultRangeExtractor(range)])]
        .filter((row) => row >= 0 && row < range.count)
        .toSorted((one, other) => one - other),
  });
  // A row that was out of the view is in the document only after the next drawing.
  useLayoutEffect(() => {
    if (!isMoving.current) return;
    const cell = scroll.current?.querySelector<HTMLElement>(
      `[data-row="${stop.row}"][data-column="${stop.column}"]`,
    );
    if (!cell) return;
    isMoving.current = false;
    cell.focus();
  });
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const next = moved(stop, event.key, event.ctrlKey, size);
    if (next === null) return false;
    event.preventDefault();
    isMoving.current = true;
    setAt(next);
    return true;
  };
  return { stop, setAt, rows, onKeyDown };
}
