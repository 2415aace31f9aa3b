import { NestFactory, Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import { translateDatabaseError } from './app.database-errors.js';
import { AppModule } from './app.module.js';
import { ToolCallsMiddleware } from './gateway/mcp-endpoint/calls/tool-calls.middleware.js';
import { RefusalRecordsService } from './platform/auth/limits/refusal-records.service.js';
import { DASHBOARD_FOLDER } from './platform/dashboard/dashboard-build.js';
import { leadToSwagger, serveDashboard } from './platform/dashboard/serve-dashboard.js';
import { measureRequests } from './platform/health/measure-requests.js';
import { MetricsService } from './platform/health/metrics.service.js';
import { WriteChecksService } from './platform/health/write-checks.service.js';
import { JsonLogger } from './platform/logging/json-logger.js';
import { noteCause, requestLog } from './platform/logging/request-log.js';
import { documentRoutes, serveDocument } from './platform/openapi/serve-document.js';
import type { Settings } from './platform/config/settings.js';
import { readTlsFiles } from './platform/config/tls-files.js';
import { SecretRegister } from './platform/encryption/secret-register.js';
import { allowDashboards } from './platform/http/headers/cross-origin.js';
import { AnswerBytes } from './platform/http/answer-bytes.js';
import { BodyBytes } from './platform/http/body/body-bytes.js';
import { ConnectionLimit } from './platform/http/connection-limit.js';
import { HttpsRule } from './platform/http/routes/https-rule.js';
import { InFlight } from './platform/http/in-flight.js';
import { answerProbesOnly } from './platform/http/routes/probes-only.js';
import { KnownRoutes } from './platform/http/routes/known-routes.js';
import { mappedRoutes } from './platform/http/routes/mapped-routes.js';
import { ProblemFilter, type ErrorTranslator } from './platform/http/problem/problem.filter.js';
import { IdempotencyInterceptor } from './platform/http/idempotency/idempotency.interceptor.js';
import { RequestBodyInterceptor } from './platform/http/body/request-body.interceptor.js';
import { assignRequestId, requestIdOf } from './platform/http/headers/request-id.middleware.js';
import { ServiceAdapter, type FirstStep } from './platform/http/service-adapter.js';
import { ServiceOrigins } from './platform/http/headers/service-origins.js';
import { SlowReaders } from './platform/http/slow-readers.js';
import { traceparentFrom } from './platform/http/headers/traceparent.js';
import { TrustedProxies } from './platform/http/headers/trusted-proxies.js';
import { validationPipe } from './platform/http/body/validation.pipe.js';
import { SYSTEM, withOrigin } from './platform/journal/journal-context.js';
import { currentTraceparent } from './platform/tracing/spans.js';
import { traceRequests } from './platform/tracing/trace-requests.js';

/** Creates the application. It does not listen yet. */
export async function createApp(settings: Settings, databaseUrl: string): Promise<NestExpressApplication> {
  const { limits } = settings;
  const connections = new ConnectionLimit(limits.connectionsMax);
  const adapter = new ServiceAdapter(connections);
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(settings, databaseUrl),
    adapter,
    {
      bodyParser: false,
      abortOnError: false,
      routeResolutionStrategy: 'specificity',
      routeConflictPolicy: { duplicate: 'error', shadow: 'off' },
      bufferLogs: true,
      httpsOptions: settings.tls ? readTlsFiles(settings.tls) : undefined,
    },
  );
  app.useLogger(
    new JsonLogger({ level: settings.logLevel, format: settings.logFormat }, app.get(SecretRegister)),
  );
  app.disable('x-powered-by');
  app.disable('etag');
  const inFlight = app.get(InFlight);
  new SlowReaders(inFlight).watch();
  adapter.bound(app.get(AnswerBytes));
  const routes = app.get(KnownRoutes);
  const refusals = app.get(RefusalRecordsService);
  const writes = app.get(WriteChecksService);
  const translate: ErrorTranslator = (error, request) => {
    writes.note(error);
    const problem = translateDatabaseError(error);
    if (problem?.status === 503) noteCause(request, error);
    return problem;
  };
  const problems = new ProblemFilter(translate, routes, (request, problem) =>
    refusals.note(request, problem),
  );
  adapter.begin([
    assignRequestId,
    ...(settings.tracing ? [traceRequests] : []),
    requestLog(app.get(TrustedProxies)),
    measureRequests(app.get(MetricsService)),
    connections.refuse,
    inFlight.track,
    openOrigin(app.get(TrustedProxies)),
    securityHeaders(settings),
    ...(settings.duties.requests ? [] : [answerProbesOnly(settings.role)]),
    settings.dashboard ? serveDashboard(DASHBOARD_FOLDER) : leadToSwagger,
    app
      .get(ToolCallsMiddleware)
      .before((error, request, response) => problems.refuse(error, request, response)),
  ]);
  allowDashboards(app, app.get(ServiceOrigins));
  app.useGlobalFilters(problems);
  // The body is read first: it is part of what makes a request the same one.
  app.useGlobalInterceptors(
    new RequestBodyInterceptor(
      app.get(Reflector),
      app.get(HttpsRule),
      limits.bodyMaxBytes,
      app.get(BodyBytes),
    ),
    app.get(IdempotencyInterceptor),
  );
  app.useGlobalPipes(validationPipe());
  serveDocument(app);
  routes.learn([...mappedRoutes(app), ...documentRoutes]);
  return app;
}

function openOrigin(proxies: TrustedProxies): FirstStep {
  return (request, _, next) => {
    const from = proxies.clientOf(request);
    const traceparent = currentTraceparent() ?? traceparentFrom(request.headers.traceparent);
    withOrigin({ requestId: requestIdOf(request), traceparent, from, actor: SYSTEM }, next);
  };
}

/**
 * Helmet's headers. Its default upgrade-insecure-requests leaves Swagger UI blank on plain HTTP, so it is sent with
 * TLS only.
 */
function securityHeaders(settings: Settings): FirstStep {
  const tls = settings.tls !== null;
  return helmet({
    strictTransportSecurity: tls,
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: tls ? [] : null } },
  });
}
