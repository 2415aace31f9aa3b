import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendProblem } from './problem.filter.js';
import { Problem } from './problem.js';

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

const LOOK_MS = 50;

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
  // The method of the HTTP server would close idle connections at once.
  Server.prototype.close.call(server);
  inFlight.endConnections();
  const until = performance.now() + withinMs;
  while (performance.now() < until && (await connectionsOf(server)) > inFlight.count) await sleep(LOOK_MS);
}

function connectionsOf(server: HttpServer): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

/** The fields of `Limits` that bound answers. */
export interface AnswerLimits {
  answerMaxBytes: number;
  unreadMaxBytes: number;
}

/** Answers up to this size are not counted: the number of open requests bounds them. */
const SMALL_BYTES = 65_536;

/**
 * Bounds the answers to reading requests, and those to requests over MCP, in bytes (contract §9.1), so that no caller can
 * fill the memory with answers that it does not read. Heartbeats and turns have no rate, and are refused in the same way: a
 * worker that names itself gets what it lost with its next heartbeat. Another request that changes something is always
 * answered: its work is done, and its result must not be lost.
 */
export class AnswerBytes {
  constructor(
    private readonly inFlight: InFlight,
    private readonly limits: AnswerLimits,
  ) {}

  /** @throws {AnswerTooLarge} @throws {TooMuchUnread} */
  enforce(request: IncomingMessage, bytes: number): void {
    if (!hasBoundedAnswer(request) || bytes <= SMALL_BYTES) return;
    if (request.method === 'GET' && bytes > this.limits.answerMaxBytes)
      throw new AnswerTooLarge(this.limits.answerMaxBytes);
    const caller = callerOf(request);
    const unread = caller === undefined ? null : this.refusedFor(caller, bytes);
    if (unread !== null) throw new TooMuchUnread(unread);
  }

  /**
   * Returns how much the caller has left unread where it gets no further answer of so many bytes; null where it does.
   * Without a size the answer is one whose size is not known yet.
   */
  refusedFor(callerId: string, bytes = SMALL_BYTES + 1): number | null {
    if (bytes <= SMALL_BYTES) return null;
    const unread = this.inFlight.sumOf(callerId, (_, response) => response.writableLength);
    return unread > 0 && unread + bytes > this.limits.unreadMaxBytes ? unread : null;
  }
}

const FREQUENT = /^\/api\/agents\/[^/?]+\/(heartbeat|turns)(\?|$)/;

/** Whether the size of an answer has to be known before it is sent. */
export function hasBoundedAnswer({ method, url = '' }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD' || (method === 'POST' && FREQUENT.test(url));
}

/** 422: the answer would be larger than the service sends. */
class AnswerTooLarge extends Problem {
  constructor(limit: number) {
    super(
      'answer_too_large',
      `The answer would have more than ${limit} bytes. Ask for less: with filters, a smaller limit, or fields=summary.`,
    );
  }
}

/** 429: the caller has left too much of earlier answers unread. */
class TooMuchUnread extends Problem {
  constructor(unread: number) {
    super('rate_limited', `You have ${unread} bytes of earlier answers to read. Read them, then ask again.`, {
      headers: { 'Retry-After': '1' },
    });
  }
}

/**
 * Bounds the bodies that this process holds for one caller (contract §9.1): while they arrive, and until their requests
 * are answered, since a tool call holds its arguments for as long as it runs.
 */
export class BodyBytes {
  private readonly held = new WeakMap<IncomingMessage, number>();

  constructor(
    private readonly inFlight: InFlight,
    private readonly limit: number,
  ) {}

  /**
   * Counts what has arrived of a body.
   * @param bytes of this body so far
   * @throws {TooMuchSent} when the caller's open requests would hold more than the limit
   */
  hold(request: IncomingMessage, bytes: number): void {
    const caller = callerOf(request);
    if (bytes <= SMALL_BYTES || caller === undefined) return;
    const others = this.inFlight.sumOf(caller, (other) =>
      other === request ? 0 : (this.held.get(other) ?? 0),
    );
    // One body alone is bounded by its own limit.
    if (others > 0 && others + bytes > this.limit) throw new TooMuchSent(others);
    this.held.set(request, bytes);
  }
}

/** 429: open requests of the caller hold as many bytes as they may. */
class TooMuchSent extends Problem {
  constructor(held: number) {
    super(
      'rate_limited',
      `Your open requests hold bodies of ${held} bytes. Wait until some of them are answered, then send this again.`,
      { headers: { 'Retry-After': '1' } },
    );
  }
}

/**
 * Calls `listener` once the response has been sent or its client has left. The event comes only once, and a client may
 * leave while its key is read: then the listener is called at once, so that nothing stays counted or open for it.
 */
export function whenClosed(response: ServerResponse, listener: () => void): void {
  if (response.closed) listener();
  else response.once('close', listener);
}
