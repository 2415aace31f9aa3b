import type { ServerResponse } from 'node:http';
import type { InFlight } from './in-flight.js';

const LOOK_EVERY_MS = 5_000;
/** How long an answer may wait for its reader; then it has to flow at this rate at least. */
const GRACE_MS = 30_000;
const BYTES_A_SECOND = 16_384;

interface Flow {
  sent: number;
  since: number;
}

/**
 * Cuts off who asks for an answer and does not read it: its bytes would stay in memory, and a file open, for as
 * long as the client likes. Streams of events are meant to stay open; they have limits of their own.
 */
export class SlowReaders {
  private readonly flows = new WeakMap<ServerResponse, Flow>();

  constructor(private readonly inFlight: InFlight) {}

  watch(): void {
    setInterval(() => this.look(Date.now()), LOOK_EVERY_MS).unref();
  }

  private look(now: number): void {
    for (const response of this.inFlight.responses()) if (this.isStuck(response, now)) response.destroy();
  }

  private isStuck(response: ServerResponse, now: number): boolean {
    const { socket } = response;
    if (!response.headersSent || !socket || isEventStream(response)) return false;
    const pending = socket.writableLength;
    const sent = socket.bytesWritten - pending;
    const flow = this.flows.get(response);
    if (!flow || pending === 0 || sent > flow.sent) {
      this.flows.set(response, { sent, since: now });
      return false;
    }
    return now - flow.since > GRACE_MS + (pending / BYTES_A_SECOND) * 1_000;
  }
}

function isEventStream(response: ServerResponse): boolean {
  return String(response.getHeader('content-type')).startsWith('text/event-stream');
}
