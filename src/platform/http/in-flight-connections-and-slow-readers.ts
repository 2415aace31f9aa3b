import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { Server, type Socket } from 'node:net';
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

/** How many connections beyond the limit get an answer that refuses them; further ones are closed at once. */
const spareOf = (limit: number) => Math.ceil(limit / 8);

/**
 * Bounds the open connections of this process (contract §9.1). A request on a connection beyond the limit gets 503, and
 * its connection ends, while those below it go on.
 */
export class ConnectionLimit {
  private open = 0;
  /** With those whose TLS is not agreed yet. */
  private accepted = 0;
  private readonly beyond = new WeakSet<Socket>();

  constructor(private readonly limit: number) {}

  watch(server: HttpServer): void {
    // Not `maxConnections`: of the processes of a start (contract §9.5) one that has so many gives a further connection back, and while
    // all have, their supervisor would hand it round for ever.
    server.on('connection', (socket: Socket) => this.accept(socket));
    // With TLS the socket of a request is the encrypted one.
    const event = 'setSecureContext' in server ? 'secureConnection' : 'connection';
    server.on(event, (socket: Socket) => this.count(socket));
  }

  /** The first step of a request. */
  readonly refuse = (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (!this.beyond.has(request.socket)) return next();
    sendProblem(request, response, new TooManyConnections());
  };

  private accept(socket: Socket): void {
    this.accepted += 1;
    socket.once('close', () => (this.accepted -= 1));
    if (this.accepted > this.limit + spareOf(this.limit)) socket.destroy();
  }

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

/** How long a file that is imported may take to arrive (contract §1.4). */
const LONGEST_UPLOAD_MS = 1_800_000;

const allowed = new WeakSet<object>();

/**
 * Lets the body of a request take 30 minutes in place of the 60 seconds of any other. A gibibyte takes 90 seconds at 100 Mbit/s. The caller has
 * authenticated its client.
 */
export function allowLongUpload(request: IncomingMessage): void {
  const { socket } = request;
  allowed.add(socket);
  const late = setTimeout(() => request.destroy(), LONGEST_UPLOAD_MS);
  request.once('close', () => {
    clearTimeout(late);
    allowed.delete(socket);
  });
}

/** Whether Node's limit of a whole request does not hold for what this connection receives now. */
export const isLongUpload = (socket: object): boolean => allowed.has(socket);
