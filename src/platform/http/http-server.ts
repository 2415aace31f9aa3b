import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer, type ServerOptions as TlsOptions } from 'node:https';
import type { Socket } from 'node:net';
import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import { jsonText } from '../json/exact-json.js';
import type { AnswerBytes } from './byte-limits.js';
import type { InFlight } from './in-flight.js';
import { Problem } from './problem.js';
import { answerProtocolErrors, pathOf, sendProblem } from './problem.filter.js';
import { PROBES } from './routes.js';

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

/** Cut slow senders and idle connections: Node's defaults keep them for minutes and check only every 30 seconds. */
const LIMITS: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
  // Node would reject a request without Host with an empty body; nothing here depends on the header.
  requireHostHeader: false,
};

/** A step that each request passes before Express. It sends the response or calls `next`. */
export type FirstStep = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Configures what Express must know before it creates its router and its server. */
export class ServiceAdapter extends ExpressAdapter {
  private listener: RequestListener = this.getInstance<RequestListener>();
  private answerBytes: AnswerBytes | null = null;

  constructor(private readonly connections: ConnectionLimit) {
    super();
    // /api/projects/ISSUES is the project with that key; /api/projects/issues is not. Express's own setting would come
    // too late: the adapter has created the router already.
    this.getInstance<{ router: { caseSensitive: boolean } }>().router.caseSensitive = true;
  }

  /** Runs steps before Express, because its dispatch to a middleware is more expensive than most of these steps. */
  begin(steps: readonly FirstStep[]): void {
    this.listener = steps.reduceRight<RequestListener>(
      (rest, step) => (request, response) => step(request, response, () => rest(request, response)),
      this.getInstance<RequestListener>(),
    );
  }

  /** Bounds the answers of the routes from now on. */
  bound(answerBytes: AnswerBytes): void {
    this.answerBytes = answerBytes;
  }

  /**
   * Serializes an object itself, so that its size is known before anything is sent: an error that is thrown here is
   * answered like one of the route.
   */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    // A client that opens requests for large pages and leaves would make the service write every one of them.
    if (response.destroyed) return response;
    if (!isPlainAnswer(response, body)) return super.reply(response, body, statusCode);
    const text = jsonText(body);
    this.answerBytes?.enforce(response.req, Buffer.byteLength(text));
    if (statusCode !== undefined) response.status(statusCode);
    return response.type('json').send(text);
  }

  override initHttpServer(options: { httpsOptions?: TlsOptions }): void {
    const listen: RequestListener = (request, response) => this.listener(request, response);
    const server = options.httpsOptions
      ? createHttpsServer({ ...LIMITS, ...options.httpsOptions }, listen)
      : createHttpServer(LIMITS, listen);
    server.maxHeadersCount = 100;
    answerProtocolErrors(server);
    this.connections.watch(server);
    this.setHttpServer(server);
  }
}

/** Whether a route returned an object or array for JSON, and did not choose another content type. */
function isPlainAnswer(response: Response, body: unknown): body is object {
  if (typeof body !== 'object' || body === null || body instanceof Error || body instanceof StreamableFile)
    return false;
  return response.getHeader('content-type') === undefined;
}

/** Answers 404 to everything but the probes: a request that reached a process of this role was sent to the wrong address. */
export function answerProbesOnly(role: string): FirstStep {
  return (request, response, next) => {
    if (PROBES.has(pathOf(request))) return next();
    sendProblem(request, response, new NotForThisRole(role));
  };
}

class NotForThisRole extends Problem {
  constructor(role: string) {
    super(
      'not_found',
      `This process has ROLE=${role} and answers ${[...PROBES].join(', ')} only. Send requests to a process with ROLE=api or ROLE=all.`,
    );
  }
}
