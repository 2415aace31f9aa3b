import type { IncomingMessage, ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import { requestIdOf } from '../http/headers/request-id.middleware.js';
import { traceIdOf, traceparentFrom } from '../http/headers/traceparent.js';
import { PROBES } from '../http/routes/probes.js';
import { currentTraceparent } from '../tracing/spans.js';

const log = new Logger('Request');

const causes = new WeakMap<IncomingMessage, string>();

/** Adds to the line of a request why the service could not do it, such as the SQLSTATE and what PostgreSQL said. */
export function noteCause(request: IncomingMessage, error: unknown): void {
  const { code, message } = ((error as { driverError?: Error }).driverError ??
    error) as Partial<NodeJS.ErrnoException>;
  causes.set(request, [code, message].filter(Boolean).join(' '));
}

/** Logs one line per finished request: caller, route and status, never a query, header or body. */
export function logRequests(
  request: IncomingMessage & { user?: Principal },
  response: ServerResponse,
  next: () => void,
): void {
  const start = performance.now();
  const traceId = traceIdOf(currentTraceparent() ?? traceparentFrom(request.headers.traceparent));
  response.once('close', () => {
    const { route } = request as { route?: { path?: string } };
    log[levelOf(route?.path, response.statusCode)]({
      requestId: requestIdOf(request),
      traceId,
      method: request.method,
      route: route?.path ?? null,
      status: response.writableFinished ? response.statusCode : 'cut off',
      ms: Math.round(performance.now() - start),
      cause: causes.get(request),
      caller: request.user ? `${request.user.type}:${request.user.id}` : null,
    });
  });
  next();
}

/** What the service cannot do is a warning, beside the line of its cause; whatever a client does is information. That a probe succeeded says nothing new. */
function levelOf(route: string | undefined, status: number): 'warn' | 'log' | 'debug' {
  if (status >= 500) return 'warn';
  return route !== undefined && PROBES.has(route) ? 'debug' : 'log';
}
