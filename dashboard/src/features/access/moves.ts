export interface Position {
  row: number;
  column: number;
}

/** Where a key leads from a cell of a grid; null for a key that does not move. */
export function moved(
  { row, column }: Position,
  key: string,
  control: boolean,
  { rows, columns }: { rows: number; columns: number },
): Position | null {
  const lastRow = rows - 1;
  const lastColumn = columns - 1;
  switch (key) {
    case 'ArrowUp':
      return { row: Math.max(0, row - 1), column };
    case 'ArrowDown':
      return { row: Math.min(lastRow, row + 1), column };
    case 'ArrowLeft':
      return { row, column: Math.max(0, column - 1) };
    case 'ArrowRight':
      return { row, column: Math.min(lastColumn, column + 1) };
    case 'Home':
      return { row: control ? 0 : row, column: 0 };
    case 'End':
      return { row: control ? lastRow : row, column: lastColumn };
    default:
      return null;
  }
}
