import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeQueryClient } from './client';
import { AGAIN_MS, every, offlineProblem, Problem } from './problem';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A screen that reads with this function, until `leave`. */
function screenOf(read: () => Promise<string>) {
  const client = makeQueryClient();
  const observer = new QueryObserver(client, { queryKey: ['a'], queryFn: read });
  const leave = observer.subscribe(() => undefined);
  return { data: () => observer.getCurrentResult().data, leave };
}

describe('a screen that could not be read', () => {
  it.each([
    ['a database that is away', () => new Problem(503, 'unavailable', 'The database does not respond.')],
    ['a service that is away', offlineProblem],
  ])('is read again by itself after the outage: %s', async (_, problem) => {
    const read = vi.fn(async (): Promise<string> => Promise.reject(problem()));
    const { data, leave } = screenOf(read);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(data()).toBeUndefined();
    read.mockResolvedValue('rows');
    await vi.advanceTimersByTimeAsync(AGAIN_MS + 1_000);
    expect(data()).toBe('rows');
    const { length } = read.mock.calls;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(read).toHaveBeenCalledTimes(length);
    leave();
  });

  it.each([
    ['at a long interval', 60_000, AGAIN_MS],
    ['at a short interval', 2_000, 2_000],
    ['at no interval', false, AGAIN_MS],
  ] as const)('is read again as soon where it is otherwise read %s', (_, interval, expected) => {
    const next = every(interval);
    expect(
      next({ state: { error: new Problem(503, 'unavailable', 'The database does not respond.') } }),
    ).toBe(expected);
    expect(next({ state: { error: new Problem(403, 'forbidden', 'You may not.') } })).toBe(interval);
    expect(next({ state: { error: null } })).toBe(interval);
  });

  it('is not read again where the service has refused it', async () => {
    const read = vi.fn(() => Promise.reject(new Problem(403, 'forbidden', 'You may not.')));
    const { leave } = screenOf(read);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(read).toHaveBeenCalledTimes(1);
    leave();
  });
});
