import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendProblem } from './problem.filter.js';
import { Problem } from './problem.js';

const LOOK_MS = 50;

/** Whether the response is a stream of events, which ends when its reader leaves. */
export function isEventStream(response: ServerResponse): boolean {
  return String(response.getHeader('content-type')).startsWith('text/event-stream');
}

/** Returns the user or agent that a request comes from, once it is authenticated. */
export function callerOf(request: IncomingMessage & { user?: { id: string } }): string | undefined {
  return request.user?.id;
}

/** Tracks the requests in flight, so that a shutdown can wait for them and refuse those that take too long. */
export class InFlight {
  private readonly open = new Map<ServerResponse, IncomingMessage>();
  private closing = false;
  private endsConnections = false;

  readonly track = (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (this.closing) return sendProblem(request, response, new ShuttingDown());
    if (this.endsConnections) response.setHeader('Connection', 'close');
    this.open.set(response, request);
    response.once('close', () => this.open.delete(response));
    next();
  };

  get count(): number {
    return this.open.size;
  }

  /** Returns the responses of all requests in flight. */
  responses(): Iterable<ServerResponse> {
    return this.open.keys();
  }

  /** Adds up what the requests in flight of one caller hold. */
  sumOf(callerId: string, held: (request: IncomingMessage, response: ServerResponse) => number): number {
    let sum = 0;
    for (const [response, request] of this.open)
      if (callerOf(request) === callerId) sum += held(request, response);
    return sum;
  }

  /** Refuses new requests from now on. Requests in flight continue, and their connections end with them. */
  close(): void {
    this.closing = true;
    this.endConnections();
  }

  /** Lets each connection end with its present request, or with the next one. */
  endConnections(): void {
    this.endsConnections = true;
    for (const response of this.open.keys())
      if (!response.headersSent) response.setHeader('Connection', 'close');
  }

  /** Cuts the event streams, whose readers connect again and go on where they were. Everything else may finish. */
  endStreams(): void {
    for (const [response, request] of this.open)
      if (request.method === 'GET' && isEventStream(response)) response.destroy();
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

/**
 * Hands the requests of a proxy over to other processes without losing one. New connections are refused, so that the
 * proxy opens them elsewhere. What still arrives on open connections is served, and each ends with its response. Resolves
 * when no connection is idle, or after `withinMs`.
 *
 * A connection that is closed while the proxy sends a request on it would lose that request. The proxy cannot know whether it was
 * received, so it must not send it again unless the request only reads.
 */
export async function drainConnections(
  server: HttpServer,
  inFlight: InFlight,
  withinMs: number,
): Promise<void> {
  stopListening(server);
  inFlight.endConnections();
  const until = performance.now() + withinMs;
  while (performance.now() < until && (await connectionsOf(server)) > inFlight.count) await sleep(LOOK_MS);
}

/**
 * Lets all connections of a process that another one has replaced end without losing a request. Each ends with its response, or with
 * the next one where the present one has begun. One that is left idle ends when the time is over that each response has promised
 * (`Keep-Alive`): its client may send a request on it until then. Readers of events are sent away, also those that come back on a
 * connection that they had left idle. Resolves when no connection is left, after `withinMs`, or when it is cut.
 */
export async function outlastConnections(
  server: HttpServer,
  inFlight: InFlight,
  withinMs: number,
  cut: AbortSignal,
): Promise<void> {
  stopListening(server);
  inFlight.endConnections();
  const until = performance.now() + withinMs;
  while (performance.now() < until && !cut.aborted && (await connectionsOf(server)) > 0) {
    inFlight.endStreams();
    await sleep(LOOK_MS);
  }
}

/** The method of the HTTP server would close idle connections at once. */
function stopListening(server: HttpServer): void {
  Server.prototype.close.call(server);
}

function connectionsOf(server: HttpServer): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

/**
 * Calls `listener` once the response has been sent or its client has left. The event comes only once, and a client may
 * leave while its key is read: then the listener is called at once, so that nothing stays counted or open for it.
 */
export function whenClosed(response: ServerResponse, listener: () => void): void {
  if (response.closed) listener();
  else response.once('close', listener);
}
