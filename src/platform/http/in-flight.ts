import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendProblem } from './problem.filter.js';
import { Problem } from './problem.js';

/** The requests that are being answered now, so that a shutdown can wait for them, and refuse what takes too long. */
export class InFlight {
  private readonly open = new Map<ServerResponse, IncomingMessage>();
  private closing = false;

  readonly track = (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (this.closing) return sendProblem(request, response, new ShuttingDown());
    this.open.set(response, request);
    response.once('close', () => this.open.delete(response));
    next();
  };

  /** All that are being answered. */
  responses(): Iterable<ServerResponse> {
    return this.open.keys();
  }

  /** From here on new requests are refused; those that are being answered go on, and their connections end with them. */
  close(): void {
    this.closing = true;
    for (const response of this.open.keys())
      if (!response.headersSent) response.setHeader('Connection', 'close');
  }

  /** 503 to everyone who still waits for an answer; streams that have begun are cut. */
  refuseAll(): void {
    for (const [response, request] of this.open)
      if (response.headersSent) response.destroy();
      else sendProblem(request, response, new ShuttingDown());
  }
}

class ShuttingDown extends Problem {
  constructor() {
    super('unavailable', 'The service is shutting down; try again in a moment.', {
      headers: { 'Retry-After': '2', Connection: 'close' },
    });
  }
}
