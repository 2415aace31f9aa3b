import { readFileSync } from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { NestFactory, Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import { translateDatabaseFault } from './app.faults.js';
import { AppModule } from './app.module.js';
import { FastLane } from './gateway/mcp-endpoint/direct/fast-lane.js';
import { RefusalRecords } from './platform/auth/limits/refusal-records.js';
import { measureRequests } from './platform/health/measure-requests.js';
import { Metrics } from './platform/health/metrics.js';
import { JsonLogger } from './platform/logging/json-logger.js';
import { logRequests } from './platform/logging/request-log.js';
import { documentRoutes, serveDocument } from './platform/openapi/serve-document.js';
import { SettingsFault } from './platform/config/load-settings.js';
import type { Settings } from './platform/config/settings.js';
import { SecretRegister } from './platform/encryption/secret-register.js';
import { allowDashboards } from './platform/http/cross-origin.js';
import { HttpsRule } from './platform/http/https-rule.js';
import { InFlight } from './platform/http/in-flight.js';
import { KnownRoutes } from './platform/http/known-routes.js';
import { mappedRoutes } from './platform/http/mapped-routes.js';
import { ProblemFilter } from './platform/http/problem.filter.js';
import { RequestBodyInterceptor } from './platform/http/request-body.interceptor.js';
import { assignRequestId, requestIdOf } from './platform/http/request-id.middleware.js';
import { ServiceAdapter, type FirstStep } from './platform/http/service-adapter.js';
import { ServiceOrigins } from './platform/http/service-origins.js';
import { SlowReaders } from './platform/http/slow-readers.js';
import { traceparentFrom } from './platform/http/traceparent.js';
import { TrustedProxies } from './platform/http/trusted-proxies.js';
import { validationPipe } from './platform/http/validation.pipe.js';
import { SYSTEM, withOrigin } from './platform/journal/journal-context.js';

/** Builds the application as it runs and as the tests run it; it does not listen yet. */
export async function createApp(settings: Settings, databaseUrl: string): Promise<NestExpressApplication> {
  const adapter = new ServiceAdapter();
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(settings, databaseUrl),
    adapter,
    {
      bodyParser: false,
      abortOnError: false,
      routeResolutionStrategy: 'specificity',
      routeConflictPolicy: { duplicate: 'error', shadow: 'off' },
      bufferLogs: true,
      httpsOptions: tlsOf(settings),
    },
  );
  app.useLogger(new JsonLogger(settings.logLevel, app.get(SecretRegister)));
  app.disable('x-powered-by');
  app.disable('etag');
  const inFlight = app.get(InFlight);
  new SlowReaders(inFlight).watch();
  adapter.begin([
    assignRequestId,
    logRequests,
    measureRequests(app.get(Metrics)),
    inFlight.track,
    openOrigin(app.get(TrustedProxies)),
    securityHeaders(settings),
    app.get(FastLane).handle,
  ]);
  allowDashboards(app, app.get(ServiceOrigins));
  const routes = app.get(KnownRoutes);
  const refusals = app.get(RefusalRecords);
  app.useGlobalFilters(
    new ProblemFilter(translateDatabaseFault, routes, (request, problem) => refusals.note(request, problem)),
  );
  app.useGlobalInterceptors(new RequestBodyInterceptor(app.get(Reflector), app.get(HttpsRule)));
  app.useGlobalPipes(validationPipe());
  serveDocument(app);
  routes.learn([...mappedRoutes(app), ...documentRoutes]);
  return app;
}

function openOrigin(proxies: TrustedProxies): FirstStep {
  return (request, _, next) => {
    const forwarded = request.headers['x-forwarded-for'];
    const from = proxies.clientOf(
      request.socket.remoteAddress,
      typeof forwarded === 'string' ? forwarded : undefined,
    );
    const traceparent = traceparentFrom(request.headers.traceparent);
    withOrigin({ requestId: requestIdOf(request), traceparent, from, actor: SYSTEM }, next);
  };
}

/**
 * What helmet sends, worked out once: it is the same for all. Its default upgrade-insecure-requests leaves Swagger UI
 * blank on plain http, so it stands behind TLS only.
 */
function securityHeaders(settings: Settings): FirstStep {
  const tls = settings.tls !== null;
  const ask = helmet({
    strictTransportSecurity: tls,
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: tls ? [] : null } },
  });
  const request = new IncomingMessage(new Socket());
  const example = new ServerResponse(request);
  ask(request, example, () => undefined);
  const headers = Object.entries(example.getHeaders());
  return (_, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value!);
    next();
  };
}

function tlsOf({ tls }: Settings): { cert: Buffer; key: Buffer } | undefined {
  return tls
    ? { cert: readSetting('TLS_CERT_FILE', tls.certFile), key: readSetting('TLS_KEY_FILE', tls.keyFile) }
    : undefined;
}

function readSetting(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new SettingsFault(`${name} names a file that can't be read: ${file}`);
  }
}
