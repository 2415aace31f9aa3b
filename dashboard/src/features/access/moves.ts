export interface Position {
  row: number;
  /** -1 is the head of the row, where that can be pressed. */
  column: number;
}

export interface GridSize {
  rows: number;
  columns: number;
  /** The first column of a row that takes the focus. */
  firstOf?: (row: number) => number;
}

/** Where a key leads from a cell of a grid; null for a key that does not move. */
export function moved(
  { row, column }: Position,
  key: string,
  control: boolean,
  { rows, columns, firstOf = () => 0 }: GridSize,
): Position | null {
  const lastRow = rows - 1;
  const lastColumn = columns - 1;
  const at = (toRow: number, toColumn: number): Position => ({
    row: toRow,
    column: Math.max(firstOf(toRow), toColumn),
  });
  switch (key) {
    case 'ArrowUp':
      return at(Math.max(0, row - 1), column);
    case 'ArrowDown':
      return at(Math.min(lastRow, row + 1), column);
    case 'ArrowLeft':
      return at(row, column - 1);
    case 'ArrowRight':
      return at(row, Math.min(lastColumn, column + 1));
    case 'Home':
      return at(control ? 0 : row, 0);
    case 'End':
      return at(control ? lastRow : row, lastColumn);
    default:
      return null;
  }
}
