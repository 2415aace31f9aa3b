import type { ServerResponse } from 'node:http';
import type { InFlight } from './in-flight.js';

const CHECK_EVERY_MS = 5_000;
/** How long a response may wait for its reader; after that it must be read at this rate or faster. */
const GRACE_MS = 30_000;
const BYTES_PER_SECOND = 16_384;
/** A large response grants no more patience than this. */
const LONGEST_MS = 60_000;

interface Flow {
  sent: number;
  since: number;
}

/**
 * Disconnects clients that do not read their responses: the bytes would stay in memory, and a file open, for as long as
 * the client likes. An event stream that is read may stay open, and has less patience where it is not: further events are
 * added to it meanwhile.
 */
export class SlowReaders {
  private readonly flows = new WeakMap<ServerResponse, Flow>();

  constructor(private readonly inFlight: InFlight) {}

  watch(): void {
    setInterval(() => this.check(Date.now()), CHECK_EVERY_MS).unref();
  }

  private check(now: number): void {
    for (const response of this.inFlight.responses()) if (this.isStuck(response, now)) response.destroy();
  }

  private isStuck(response: ServerResponse, now: number): boolean {
    const { socket } = response;
    if (!response.headersSent || !socket) return false;
    const pending = socket.writableLength;
    const sent = socket.bytesWritten - pending;
    const flow = this.flows.get(response);
    if (!flow || pending === 0 || sent > flow.sent) {
      this.flows.set(response, { sent, since: now });
      return false;
    }
    const forItsBytes = isEventStream(response) ? 0 : (pending / BYTES_PER_SECOND) * 1_000;
    return now - flow.since > Math.min(GRACE_MS + forItsBytes, LONGEST_MS);
  }
}

function isEventStream(response: ServerResponse): boolean {
  return String(response.getHeader('content-type')).startsWith('text/event-stream');
}
