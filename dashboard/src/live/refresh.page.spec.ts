import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BatchedRefresh } from './live-provider';

let client: QueryClient;
let refresh: BatchedRefresh;
let finish: (() => void)[];

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient();
  finish = [];
  vi.spyOn(client, 'invalidateQueries').mockImplementation(
    () => new Promise<void>((resolve) => finish.push(resolve)),
  );
  refresh = new BatchedRefresh(client);
});
afterEach(() => {
  refresh.stop();
  vi.useRealTimers();
});

const finishAll = async (): Promise<void> => {
  for (const one of finish.splice(0)) one();
  await vi.advanceTimersByTimeAsync(0);
};

describe('BatchedRefresh', () => {
  it('refreshes each stale key once for any number of events', async () => {
    for (let event = 0; event < 50; event += 1) refresh.add([['issues', 'list'], ['agents']]);
    await vi.advanceTimersByTimeAsync(250);
    expect(client.invalidateQueries).toHaveBeenCalledTimes(2);
  });

  it('does not begin a refresh before the last one has ended', async () => {
    refresh.add([['agents']]);
    await vi.advanceTimersByTimeAsync(250);
    refresh.add([['agents']]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(client.invalidateQueries).toHaveBeenCalledTimes(1);
    await finishAll();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(client.invalidateQueries).toHaveBeenCalledTimes(2);
  });

  it('rests three times as long as the last refresh took', async () => {
    refresh.add([['agents']]);
    await vi.advanceTimersByTimeAsync(250);
    await vi.advanceTimersByTimeAsync(1_000);
    await finishAll();
    refresh.add([['agents']]);
    await vi.advanceTimersByTimeAsync(2_900);
    expect(client.invalidateQueries).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(client.invalidateQueries).toHaveBeenCalledTimes(2);
  });
});
