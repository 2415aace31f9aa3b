import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from './button';
import { classes } from './classes';
import styles from './table.module.css';

interface MoreProps {
  shown: number;
  total: number;
  busy: boolean;
  onMore: () => void;
}

/** The end of a list that goes on: loads the next rows when it comes near the view. The button is for those who do not scroll. */
export function More({ shown, total, busy, onMore }: MoreProps) {
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(onMore);
  useEffect(() => {
    latest.current = onMore;
  });
  useEffect(() => {
    if (end.current === null || busy) return undefined;
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current(), {
      rootMargin: '400px',
    });
    seen.observe(end.current);
    return () => seen.disconnect();
  }, [busy, shown]);
  return (
    <div className="row" ref={end}>
      <Button busy={busy} onClick={onMore}>
        Show more
      </Button>
      <span className="soft small">
        {shown} of {total}
      </span>
    </div>
  );
}

interface TableProps {
  label: string;
  /** Names of the columns; an empty one belongs to buttons. */
  columns: readonly string[];
  /** The columns of numbers, which stand at the right; their cells have `data-number`. */
  numbers?: readonly string[];
  children: ReactNode;
  /** Whether a phone shows each row as a block. Cells then name their column in `data-label`. */
  fold?: boolean;
}

/** Rows of facts. A table that is wider than the screen scrolls by itself, also by keyboard. */
export function Table({ label, columns, numbers = [], children, fold = true }: TableProps) {
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={label}>
      <table className={classes(styles.table, fold && styles.fold)}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={column || index} scope="col" data-number={numbers.includes(column) ? '' : undefined}>
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
