import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type InFlight, isEventStream } from './in-flight.js';
import { sendProblem } from './problem.filter.js';
import { Problem } from './problem.js';

/** How many connections beyond the limit get an answer that refuses them; further ones are closed at once. */
const spareOf = (limit: number) => Math.ceil(limit / 8);

/**
 * Bounds the open connections of this process (contract §9.1). A request on a connection beyond the limit gets 503, and
 * its connection ends, while those below it go on.
 */
export class ConnectionLimit {
  private open = 0;
  private readonly beyond = new WeakSet<Socket>();

  constructor(private readonly limit: number) {}

  watch(server: Server): void {
    server.maxConnections = this.limit + spareOf(this.limit);
    // With TLS the socket of a request is the encrypted one.
    const event = 'setSecureContext' in server ? 'secureConnection' : 'connection';
    server.on(event, (socket: Socket) => this.count(socket));
  }

  /** The first step of a request. */
  readonly refuse = (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (!this.beyond.has(request.socket)) return next();
    sendProblem(request, response, new TooManyConnections());
  };

  private count(socket: Socket): void {
    this.open += 1;
    if (this.open > this.limit) this.beyond.add(socket);
    socket.once('close', () => (this.open -= 1));
  }
}

class TooManyConnections extends Problem {
  constructor() {
    super(
      'unavailable',
      'The service has as many connections as it may. Close some, or try again in a moment.',
      {
        headers: { 'Retry-After': '2', Connection: 'close' },
      },
    );
  }
}

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
    setInterval(() => this.check(performance.now()), CHECK_EVERY_MS).unref();
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
