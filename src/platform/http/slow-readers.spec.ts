import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type InFlight, SlowReaders } from './in-flight-connections-and-slow-readers.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** An open response whose client has not read `pending` bytes. */
function aResponse(contentType: string, pending: number) {
  const response = {
    headersSent: true,
    destroyed: false,
    socket: { writableLength: pending, bytesWritten: 1_000_000 },
    getHeader: () => contentType,
    destroy: () => void (response.destroyed = true),
  };
  return response;
}

describe('a client that does not read its response', () => {
  it.each([
    ['text/event-stream', 20_000, 45_000, true],
    ['text/event-stream', 20_000, 30_000, false],
    ['text/event-stream', 0, 3_600_000, false],
    ['application/json', 100_000_000, 75_000, true],
    ['application/json', 100_000_000, 60_000, false],
  ])('of %s with %d bytes left is after %d ms disconnected: %s', (type, pending, ms, isCut) => {
    const response = aResponse(type, pending);
    const inFlight = { responses: () => [response as unknown as ServerResponse] };
    new SlowReaders(inFlight as unknown as InFlight).watch();
    jest.advanceTimersByTime(ms);
    expect(response.destroyed).toBe(isCut);
  });
});
