import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { sendProblem } from './problem/problem.filter.js';
import { Problem } from './problem/problem.js';

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
