import {
  createServer as createHttpServer,
  IncomingMessage,
  type RequestListener,
  type ServerOptions,
  ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer, type ServerOptions as TlsOptions } from 'node:https';
import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import { jsonText } from '../json/exact-json.js';
import type { AnswerBytes } from './byte-limits.js';
import { ConnectionLimit, isLongUpload } from './in-flight-connections-and-slow-readers.js';
import { answerProtocolErrors } from './problem.filter.js';

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
    const settings = { ...LIMITS, ...messagesOf(this.getInstance<Prototypes>()) };
    const server = options.httpsOptions
      ? createHttpsServer({ ...settings, ...options.httpsOptions }, listen)
      : createHttpServer(settings, listen);
    server.maxHeadersCount = 100;
    answerProtocolErrors(server, isLongUpload);
    this.connections.watch(server);
    this.setHttpServer(server);
  }
}

/** What Express makes the prototype of each request and response that it handles. */
interface Prototypes {
  request: object;
  response: object;
}

/**
 * Returns classes of requests and responses whose prototypes are those of Express from the start. Express changes the
 * prototype of each one otherwise, and V8 then takes microseconds for each member that is added to it: the seven of
 * Passport alone took 14 µs per request.
 */
function messagesOf(express: Prototypes): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class ServiceRequest extends IncomingMessage {}
  class ServiceResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(ServiceRequest.prototype, express.request);
  Object.setPrototypeOf(ServiceResponse.prototype, express.response);
  express.request = ServiceRequest.prototype;
  express.response = ServiceResponse.prototype;
  return { IncomingMessage: ServiceRequest, ServerResponse: ServiceResponse };
}

/** Whether a route returned an object or array for JSON, and did not choose another content type. */
function isPlainAnswer(response: Response, body: unknown): body is object {
  if (typeof body !== 'object' || body === null || body instanceof Error || body instanceof StreamableFile)
    return false;
  return response.getHeader('content-type') === undefined;
}
