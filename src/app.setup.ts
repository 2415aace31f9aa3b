import type { IncomingMessage, Server } from 'node:http';
import { readFileSync } from 'node:fs';
import { NestFactory, Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { translateDatabaseFault } from './app.faults.js';
import { AppModule } from './app.module.js';
import { serveDocument } from './platform/openapi/serve-document.js';
import type { Settings } from './platform/config/settings.js';
import { HttpsRule } from './platform/http/https-rule.js';
import { KnownRoutes } from './platform/http/known-routes.js';
import { ProblemFilter } from './platform/http/problem.filter.js';
import { RequestBodyInterceptor } from './platform/http/request-body.interceptor.js';
import { assignRequestId, requestIdOf } from './platform/http/request-id.middleware.js';
import { TrustedProxies } from './platform/http/trusted-proxies.js';
import { validationPipe } from './platform/http/validation.pipe.js';
import { SYSTEM, withOrigin } from './platform/journal/journal-context.js';

/** Builds the application as it runs and as the tests run it; it does not listen yet. */
export async function createApp(settings: Settings, databaseUrl: string): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(settings, databaseUrl), {
    bodyParser: false,
    abortOnError: false,
    return503OnClosing: true,
    routeResolutionStrategy: 'specificity',
    routeConflictPolicy: { duplicate: 'error', shadow: 'off' },
    logger: settings.logLevel === 'silent' ? false : ['error', 'warn', 'log'],
    ...(settings.tls && { httpsOptions: { cert: readFileSync(settings.tls.certFile), key: readFileSync(settings.tls.keyFile) } }),
  });
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(assignRequestId, openOrigin(app.get(TrustedProxies)), securityHeaders(settings));
  const routes = app.get(KnownRoutes);
  app.useGlobalFilters(new ProblemFilter(translateDatabaseFault, routes));
  app.useGlobalInterceptors(new RequestBodyInterceptor(app.get(Reflector), app.get(HttpsRule)));
  app.useGlobalPipes(validationPipe());
  routes.learn(serveDocument(app));
  limitSlowClients(app.getHttpServer());
  return app;
}

function openOrigin(proxies: TrustedProxies) {
  return (request: Request, _: Response, next: NextFunction): void => {
    const forwarded = request.headers['x-forwarded-for'];
    const from = proxies.clientOf(request.socket.remoteAddress, typeof forwarded === 'string' ? forwarded : undefined);
    withOrigin({ requestId: requestIdOf(request), from, actor: SYSTEM }, next);
  };
}

/** helmet's default upgrade-insecure-requests leaves Swagger UI blank on plain http, so it stands behind TLS only. */
function securityHeaders(settings: Settings) {
  const tls = settings.tls !== null;
  return helmet({
    strictTransportSecurity: tls,
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: tls ? [] : null } },
  });
}

/** Slow senders and idle connections are cut: Node's defaults keep them for minutes. */
function limitSlowClients(server: Server): void {
  server.headersTimeout = 10_000;
  server.requestTimeout = 60_000;
  server.keepAliveTimeout = 65_000;
  server.maxHeadersCount = 100;
  (server as Server & { connectionsCheckingInterval?: number }).connectionsCheckingInterval = 2_000;
  server.on('clientError', (_: Error, socket: IncomingMessage['socket']) => socket.destroy());
}
