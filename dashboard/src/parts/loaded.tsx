import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ProblemNotice } from './notice';
import { Skeleton } from './skeleton';

interface LoadedProps<Data> {
  query: UseQueryResult<Data>;
  /** What is loaded: "The servers", "The tools". */
  what: string;
  children: (data: Data) => ReactNode;
}

/** Shows the data of a query, or why they are not there yet. Data that were shown stay while they are read again. */
export function Loaded<Data>({ query, what, children }: LoadedProps<Data>) {
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
