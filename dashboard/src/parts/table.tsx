import type { ReactNode } from 'react';
import { classes } from './classes';
import styles from './table.module.css';

interface TableProps {
  label: string;
  /** Names of the columns; an empty one belongs to buttons. */
  columns: readonly string[];
  children: ReactNode;
  /** Whether a phone shows each row as a block. Cells then name their column in `data-label`. */
  fold?: boolean;
}

/** Rows of facts. A table that is wider than the screen scrolls by itself, also by keyboard. */
export function Table({ label, columns, children, fold = true }: TableProps) {
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={label}>
      <table className={classes(styles.table, fold && styles.fold)}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={column || index} scope="col">
                {column || <span className="sr-only">Actions</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
