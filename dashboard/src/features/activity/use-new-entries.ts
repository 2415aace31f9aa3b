import { useCallback, useEffect, useState } from 'react';
import { useLiveEvents } from '../../live/live-provider';
import { matches, type ActivityFilter } from './queries';

/** Counts what has happened since `seen` changed last and the filter would show. */
export function useNewEntries(filter: ActivityFilter, seen: unknown): number {
  const [count, setCount] = useState(0);
  const { type, actorId } = filter;
  useEffect(() => setCount(0), [type, actorId, seen]);
  useLiveEvents(
    useCallback(
      (event) => {
        if (matches({ type, actorId }, event)) setCount((before) => before + 1);
      },
      [type, actorId],
    ),
  );
  return count;
}
