import { useEffect, useState } from 'react';
import { classes } from './classes';
import styles from './skeleton.module.css';

const APPEARS_AFTER_MS = 200;

/** Grey lines in the shape of rows. They appear after 200 ms, so that a fast answer does not flicker. */
export function Skeleton({ rows = 3, label = 'Loading' }: { rows?: number; label?: string }) {
  const shown = useAfter(APPEARS_AFTER_MS);
  return (
    <div
      className={classes(styles.skeleton, !shown && styles.hidden)}
      role="status"
      aria-busy="true"
      aria-label={label}
    >
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={styles.row}>
          <span className={styles.short} />
          <span className={styles.long} />
        </div>
      ))}
    </div>
  );
}

function useAfter(milliseconds: number): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return over;
}
