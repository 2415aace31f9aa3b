import type { IncomingMessage, ServerResponse } from 'node:http';
import { NestFactory, Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import { AppModule } from './app.module.js';
import { ToolCallsMiddleware } from './gateway/mcp-protocol/tool-calls.middleware.js';
import { RefusalRecordsService } from './platform/authentication/request-limits-and-refusal-records.service.js';
import type { Settings } from './platform/config/settings.js';
import { readTlsFiles } from './platform/config/tls-files-and-renewal.js';
import { dashboardOrSwagger } from './platform/dashboard/serve-dashboard.js';
import { UnfitSortKey } from './platform/database/keyset-pages.service.js';
import { isUnacceptableValue } from './platform/database/postgres-errors.js';
import { SecretRegister } from './platform/encryption/masking.js';
import { databaseProblem } from './platform/health/database-outage-answers.js';
import { measureRequests, MetricsService } from './platform/health/metrics.service.js';
import { WriteChecksService } from './platform/health/database-state-and-space-checks.service.js';
import { AnswerBytes, BodyBytes } from './platform/http/byte-limits.js';
import {
  ConnectionLimit,
  InFlight,
  SlowReaders,
} from './platform/http/in-flight-connections-and-slow-readers.js';
import { type FirstStep, ServiceAdapter } from './platform/http/http-server.js';
import { HttpsRule, TrustedProxies } from './platform/http/https-rule-and-proxies.js';
import { allowDashboards, ServiceOrigins } from './platform/http/origins-and-redirects.js';
import { Problem, ValidationFailed } from './platform/http/problem.js';
import { type ErrorTranslator, pathOf, ProblemFilter, sendProblem } from './platform/http/problem.filter.js';
import { RequestBodyInterceptor } from './platform/http/request-body.interceptor.js';
import { assignRequestId, requestIdOf, traceparentFrom } from './platform/http/request-id-and-traceparent.js';
import { KnownRoutes, mappedRoutes, PROBES } from './platform/http/routes.js';
import { validationPipe } from './platform/http/validation.pipe.js';
import { IdempotencyInterceptor } from './platform/idempotency/idempotency-and-sealed-responses.interceptor.js';
import { SYSTEM, withOrigin } from './platform/journal/journal.service.js';
import { JsonLogger } from './platform/logging/json-logger-and-start-log.js';
import { noteCause, requestLog } from './platform/logging/request-log.js';
import { documentRoutes, serveDocument } from './platform/openapi/serve-document.js';
import { traceRequests } from './platform/tracing/open-telemetry.js';
import { currentTraceparent } from './platform/tracing/spans.js';

/** Translates a database error: one that cannot do this now is 503, a value that fits no column is 400. */
export function translateDatabaseError(error: unknown): Problem | null {
  const problem = databaseProblem(error);
  if (problem) return problem;
  if (error instanceof UnfitSortKey)
    return new ValidationFailed([{ path: 'cursor', message: 'is not a cursor of this list' }]);
  if (isUnacceptableValue(error))
    return new ValidationFailed([{ path: '', message: 'a value is out of range' }]);
  return null;
}

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
    new JsonLogger(
      { level: settings.logLevel, format: settings.logFormat, process: settings.parent?.part.name },
      app.get(SecretRegister),
    ),
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
  const metrics = app.get(MetricsService);
  const problems = new ProblemFilter(translate, routes, (request, problem) => {
    metrics.refused(problem);
    return refusals.note(request, problem);
  });
  adapter.begin([
    assignRequestId,
    ...(settings.tracing ? [traceRequests] : []),
    requestLog(app.get(TrustedProxies)),
    measureRequests(metrics),
    connections.refuse,
    inFlight.track,
    openOrigin(app.get(TrustedProxies)),
    securityHeaders(settings),
    keepPrivate,
    ...(settings.duties.requests ? [] : [answerProbesOnly(settings.role)]),
    dashboardOrSwagger(settings.dashboard),
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
 * No cache keeps what one caller was answered, and none gives it to another (contract §1.8). Swagger UI is the same for all;
 * what may be kept besides, such as files of the dashboard, says so itself.
 */
const keepPrivate: FirstStep = ({ url = '' }, response, next) => {
  if (!url.startsWith('/api/docs')) {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Vary', 'Authorization, Cookie');
  }
  next();
};

/**
 * Helmet's headers. Its default upgrade-insecure-requests leaves Swagger UI blank on plain HTTP, so it is sent with
 * TLS only. The headers are the same for every response, so Helmet is asked for them once: its twelve middlewares took
 * more time per request than the routing.
 */
function securityHeaders(settings: Settings): FirstStep {
  const tls = settings.tls !== null;
  const headers = new Map<string, string>();
  const recorder = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  helmet({
    strictTransportSecurity: tls,
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: tls ? [] : null } },
  })({} as IncomingMessage, recorder as unknown as ServerResponse, (error?: unknown) => {
    if (error !== undefined) throw error;
  });
  return (_, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/** Answers 404 to everything but the probes: a request that reached a process of this role was sent to the wrong address. */
function answerProbesOnly(role: string): FirstStep {
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
