import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AGAIN_MS } from '../api/problem';
import { followEvents } from './live-provider';
import type { LiveState } from './event-table';

class FakeSource {
  static opened: FakeSource[] = [];
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  close = vi.fn();
  constructor(readonly url: string) {
    FakeSource.opened.push(this);
  }
}

/** Grants when the test says so, like a browser that was asked before the page changed its mind. */
let grant: () => Promise<void>;

beforeEach(() => {
  FakeSource.opened = [];
  vi.stubGlobal('EventSource', FakeSource);
  vi.stubGlobal('navigator', {
    locks: {
      request: (_name: string, _options: object, lead: () => Promise<void>) => {
        grant = lead;
        return new Promise(() => undefined);
      },
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

const following = () => {
  const states: LiveState[] = [];
  const end = followEvents({ onEvent: () => undefined, onState: (state) => states.push(state) });
  return { states, end };
};

describe('followEvents', () => {
  it('opens no stream when the lock is granted after its end', async () => {
    const { end } = following();
    end();
    await grant();
    expect(FakeSource.opened).toEqual([]);
  });

  it('is live when the stream is open, and lost since the first error', () => {
    vi.useFakeTimers({ now: 1_000 });
    const { states, end } = following();
    void grant();
    expect(states).toEqual([]);
    FakeSource.opened[0]!.onopen!();
    FakeSource.opened[0]!.onerror!();
    vi.advanceTimersByTime(1_000);
    FakeSource.opened[1]!.onerror!();
    end();
    vi.useRealTimers();
    expect(states).toEqual([
      { phase: 'live' },
      { phase: 'lost', since: 1_000 },
      { phase: 'lost', since: 1_000 },
    ]);
  });

  it('opens the stream again within 5 seconds, however long the outage was', () => {
    vi.useFakeTimers();
    const { end } = following();
    void grant();
    for (let tries = 1; tries <= 10; tries += 1) {
      FakeSource.opened.at(-1)!.onerror!();
      vi.advanceTimersByTime(AGAIN_MS);
      expect(FakeSource.opened).toHaveLength(tries + 1);
    }
    end();
    vi.useRealTimers();
  });
});
