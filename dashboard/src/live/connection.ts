import type { LiveEvent, LiveState } from './live-event';

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
const LONGEST_PAUSE_MS = 30_000;

/** Keeps an event source open until `signal` ends it; one that the server refused for good is opened again later. */
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
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
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
