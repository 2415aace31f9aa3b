import { useQueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import { followEvents } from './connection';
import { affectedBy } from './event-table';
import type { LiveEvent, LiveState } from './live-event';
import { BatchedRefresh } from './refresh';

const Live = createContext<LiveState>({ phase: 'connecting' });

type EventListener = (event: LiveEvent) => void;

const listeners = new Set<EventListener>();

/** Keeps the cache fresh while someone is signed in, and says whether the page is live. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>({ phase: 'connecting' });
  useEffect(() => {
    const refresh = new BatchedRefresh(client);
    const end = followEvents({
      onEvent: (event) => {
        refresh.add(affectedBy(event));
        for (const listener of listeners) listener(event);
      },
      onState: (next) => {
        setState(next);
        // What was read before the stream opened may have changed since, so it is read again.
        if (next.phase === 'live') void client.invalidateQueries();
      },
    });
    return () => {
      end();
      refresh.stop();
    };
  }, [client]);
  return <Live value={state}>{children}</Live>;
}

export function useLiveState(): LiveState {
  return use(Live);
}

/** Calls a listener for each event while the component is mounted; the listener should be stable. */
export function useLiveEvents(listener: EventListener): void {
  useEffect(() => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [listener]);
}
