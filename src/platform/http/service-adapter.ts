import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer, type ServerOptions as TlsOptions } from 'node:https';
import { ExpressAdapter } from '@nestjs/platform-express';
import { answerProtocolFaults } from './protocol-faults.js';

/** Slow senders and idle connections are cut: Node's defaults keep them for minutes, and look every 30 seconds only. */
const LIMITS: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
  // Node would refuse it without a body; nothing here depends on what a client calls us.
  requireHostHeader: false,
};

/** One step of what each request goes through before Express sees it; it answers, or calls `next`. */
export type FirstStep = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Express with what must be settled before it has its router and its server. */
export class ServiceAdapter extends ExpressAdapter {
  private listener: RequestListener = this.getInstance<RequestListener>();

  constructor() {
    super();
    // /api/projects/ISSUES is the project with that key; /api/projects/issues is not. Express' setting would come
    // too late: the adapter has made the router by now.
    this.getInstance<{ router: { caseSensitive: boolean } }>().router.caseSensitive = true;
  }

  /** Puts steps before Express, whose own way to a middleware costs more than most of these do. */
  begin(steps: readonly FirstStep[]): void {
    this.listener = steps.reduceRight<RequestListener>(
      (rest, step) => (request, response) => step(request, response, () => rest(request, response)),
      this.getInstance<RequestListener>(),
    );
  }

  override initHttpServer(options: { httpsOptions?: TlsOptions }): void {
    const listen: RequestListener = (request, response) => this.listener(request, response);
    const server = options.httpsOptions
      ? createHttpsServer({ ...LIMITS, ...options.httpsOptions }, listen)
      : createHttpServer(LIMITS, listen);
    server.maxHeadersCount = 100;
    answerProtocolFaults(server);
    this.setHttpServer(server);
  }
}
