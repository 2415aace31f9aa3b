import { createServer as createHttpServer, type ServerOptions } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions as TlsOptions } from 'node:https';
import { ExpressAdapter } from '@nestjs/platform-express';

/** Slow senders and idle connections are cut: Node's defaults keep them for minutes, and look every 30 seconds only. */
const LIMITS: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
};

/** Express on a server whose limits must be given when it is made. */
export class ServiceAdapter extends ExpressAdapter {
  override initHttpServer(options: { httpsOptions?: TlsOptions }): void {
    const server = options.httpsOptions
      ? createHttpsServer({ ...LIMITS, ...options.httpsOptions }, this.getInstance())
      : createHttpServer(LIMITS, this.getInstance());
    server.maxHeadersCount = 100;
    this.setHttpServer(server);
  }
}
