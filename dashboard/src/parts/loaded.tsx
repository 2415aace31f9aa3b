import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { asProblem } from '../api/problem';
import { ProblemNotice } from './notice';
import { Skeleton } from './skeleton';

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
