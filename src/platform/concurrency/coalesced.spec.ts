import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Coalesced } from './queues-semaphores-and-context-slots.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('coalesced work', () => {
  it('runs at once, and once more after a pause however often it was asked for meanwhile', () => {
    const coalesced = new Coalesced(1_000);
    const ran: string[] = [];
    const ask = (key: string, times: number) => {
      for (let n = 0; n < times; n += 1) coalesced.run(key, () => ran.push(key));
    };
    ask('a', 100);
    ask('b', 1);
    expect(ran).toEqual(['a', 'b']);
    jest.advanceTimersByTime(1_000);
    expect(ran).toEqual(['a', 'b', 'a']);
    ask('a', 100);
    jest.advanceTimersByTime(999);
    expect(ran).toEqual(['a', 'b', 'a']);
    jest.advanceTimersByTime(10_000);
    expect(ran).toEqual(['a', 'b', 'a', 'a']);
    ask('b', 1);
    expect(ran).toEqual(['a', 'b', 'a', 'a', 'b']);
  });
});
