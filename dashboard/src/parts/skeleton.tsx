import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { asProblem } from '../api/problem';
import { classes } from './classes';
import { ProblemNotice } from './notice';
import styles from './skeleton.module.css';

interface LoadedProps<Data> {
  query: UseQueryResult<Data>;
  /** What is loaded: "The servers", "The tools". */
  what: string;
  /** Shown in place of a 404; without it, a 404 is an error like any other. */
  missing?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** Shows the data of a query, or why they are not there yet. Data that were shown stay while they are read again. */
export function Loaded<Data>({ query, what, missing, children }: LoadedProps<Data>) {
  if (missing && query.isError && asProblem(query.error).status === 404) return missing;
  return (
    <>
      {query.isError && (
        <ProblemNotice
          title={`${what} cannot be shown`}
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.isPending && <Skeleton rows={4} />}
      {query.data !== undefined && children(query.data)}
    </>
  );
}

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
