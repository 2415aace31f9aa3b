import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { AGAIN_MS, isPassing, type Problem } from '../api/problem';
import { affectedBy, type LiveEvent, type LiveState } from './event-table';

const PAUSE_MS = 250;
/** The share of the time that work may take: after a batch of 200 ms, the next begins 600 ms later. */
const REST = 3;

/**
 * Collects what events name and works on it at most four times per second, never on two batches at once, and never
 * while the tab is hidden. What takes long is done less often.
 */
export class Batches<Item> {
  /** By key, so that an item which many events name is worked on once. */
  private waiting = new Map<string, Item>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private busy = false;
  private stopped = false;
  private pause = PAUSE_MS;

  /** @param work must not reject: nothing waits for it */
  constructor(private readonly work: (items: Item[]) => Promise<unknown>) {
    document.addEventListener('visibilitychange', this.schedule);
  }

  add(key: string, item: Item): void {
    this.waiting.set(key, item);
    this.schedule();
  }

  stop(): void {
    this.stopped = true;
    document.removeEventListener('visibilitychange', this.schedule);
    if (this.timer !== null) clearTimeout(this.timer);
    this.waiting.clear();
  }

  private readonly schedule = (): void => {
    const mayBegin = this.timer === null && !this.busy && !this.stopped && !document.hidden;
    if (mayBegin && this.waiting.size > 0) this.timer = setTimeout(() => void this.flush(), this.pause);
  };

  private async flush(): Promise<void> {
    this.timer = null;
    this.busy = true;
    const items = [...this.waiting.values()];
    this.waiting = new Map();
    const began = performance.now();
    await this.work(items);
    this.pause = Math.max(PAUSE_MS, REST * (performance.now() - began));
    this.busy = false;
    this.schedule();
  }
}

const NAME = 'awp.live';

type Message = { kind: 'event'; event: LiveEvent } | { kind: 'state'; state: LiveState } | { kind: 'hello' };

interface Listener {
  onEvent: (event: LiveEvent) => void;
  onState: (state: LiveState) => void;
}

/**
 * Follows the event stream with one connection for all tabs of this browser: browsers allow six connections per
 * origin, and each tab would take one. The tab that holds the lock owns the connection and passes everything on; when
 * it closes, the next tab takes the lock and continues after the last event that it heard of.
 *
 * @returns a function that ends following
 */
export function followEvents({ onEvent, onState }: Listener): () => void {
  const channel = new BroadcastChannel(NAME);
  const ending = new AbortController();
  let lastEventId: string | null = null;
  let state: LiveState = { phase: 'connecting' };

  const hear = (message: Message, own: boolean): void => {
    // The event source may still report after the channel was closed.
    if (ending.signal.aborted) return;
    if (message.kind === 'hello') {
      if (leads) channel.postMessage({ kind: 'state', state } satisfies Message);
      return;
    }
    if (own) channel.postMessage(message);
    if (message.kind === 'event') {
      lastEventId = message.event.id;
      onEvent(message.event);
    } else {
      state = message.state;
      onState(state);
    }
  };
  let leads = false;
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => hear(data, false));
  channel.postMessage({ kind: 'hello' } satisfies Message);

  const lead = async (): Promise<void> => {
    // The lock may be granted just after `ending`; a stream that opened then would hold it for ever.
    if (ending.signal.aborted) return;
    leads = true;
    await holdStream(
      () => lastEventId,
      (message) => hear(message, true),
      ending.signal,
    );
  };
  navigator.locks.request(NAME, { signal: ending.signal }, lead).catch(() => {
    // Only an end by `ending` rejects the request: this tab no longer follows.
  });
  return () => {
    ending.abort();
    channel.close();
  };
}

const FIRST_PAUSE_MS = 1_000;

/**
 * Keeps an event source open until `signal` ends it. One that failed is opened again as soon as screens are read again: until
 * then the page says that it shows the past.
 */
function holdStream(
  after: () => string | null,
  hear: (message: Message) => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    let source: EventSource;
    let pause = FIRST_PAUSE_MS;
    let timer: ReturnType<typeof setTimeout>;
    let lostSince: number | null = null;
    const open = (): void => {
      const from = after();
      source = new EventSource(
        from === null ? '/api/events' : `/api/events?lastEventId=${encodeURIComponent(from)}`,
      );
      source.onopen = () => {
        pause = FIRST_PAUSE_MS;
        lostSince = null;
        hear({ kind: 'state', state: { phase: 'live' } });
      };
      source.onmessage = ({ data }: MessageEvent<string>) =>
        hear({ kind: 'event', event: JSON.parse(data) as LiveEvent });
      source.onerror = () => {
        lostSince ??= Date.now();
        hear({ kind: 'state', state: { phase: 'lost', since: lostSince } });
        source.close();
        timer = setTimeout(open, pause);
        pause = Math.min(pause * 2, AGAIN_MS);
      };
    };
    open();
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      source.close();
      resolve();
    });
  });
}

/** Collects stale keys and refreshes each once per batch. */
export class BatchedRefresh {
  private readonly batches: Batches<QueryKey>;

  constructor(client: QueryClient) {
    this.batches = new Batches((queryKeys) =>
      Promise.allSettled(queryKeys.map((queryKey) => client.invalidateQueries({ queryKey }))),
    );
  }

  add(queryKeys: readonly QueryKey[]): void {
    for (const key of queryKeys) this.batches.add(JSON.stringify(key), key);
  }

  stop(): void {
    this.batches.stop();
  }
}

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

/** Why something on the page could not be read at its last try, where that may pass; the event stream may be open all the while. */
export function useTrouble(): Problem | null {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    useCallback((changed) => cache.subscribe(changed), [cache]),
    () => {
      const [failed] = cache.findAll({
        type: 'active',
        predicate: ({ state }) => isPassing(state.error),
      });
      return (failed?.state.error as Problem | undefined) ?? null;
    },
  );
}

/** Calls a listener for each event while the component is mounted; the listener should be stable. */
export function useLiveEvents(listener: EventListener): void {
  useEffect(() => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [listener]);
}
