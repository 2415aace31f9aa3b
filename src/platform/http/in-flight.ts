import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendProblem } from './problem/problem.filter.js';
import { Problem } from './problem/problem.js';

/** Tracks the requests in flight, so that a shutdown can wait for them and refuse those that take too long. */
export class InFlight {
  private readonly open = new Map<ServerResponse, IncomingMessage>();
  private closing = false;

  readonly track = (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (this.closing) return sendProblem(request, response, new ShuttingDown());
    this.open.set(response, request);
    response.once('close', () => this.open.delete(response));
    next();
  };

  /** Returns the responses of all requests in flight. */
  responses(): Iterable<ServerResponse> {
    return this.open.keys();
  }

  /** Returns all requests in flight, by their responses. */
  exchanges(): Iterable<[ServerResponse, IncomingMessage]> {
    return this.open;
  }

  /** Refuses new requests from now on. Requests in flight continue, and their connections end with them. */
  close(): void {
    this.closing = true;
    for (const response of this.open.keys())
      if (!response.headersSent) response.setHeader('Connection', 'close');
  }

  /** Answers every waiting request with 503 and cuts streams that have begun. */
  refuseAll(): void {
    for (const [response, request] of this.open)
      if (response.headersSent) response.destroy();
      else sendProblem(request, response, new ShuttingDown());
  }
}

class ShuttingDown extends Problem {
  constructor() {
    super('unavailable', 'The service is shutting down. Try again in a moment.', {
      headers: { 'Retry-After': '2', Connection: 'close' },
    });
  }
}
