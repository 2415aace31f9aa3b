import type { IncomingMessage, ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import { requestIdOf } from '../http/headers/request-id.middleware.js';
import { traceIdOf, traceparentFrom } from '../http/headers/traceparent.js';

const log = new Logger('Request');

/** Logs one line per finished request: caller, route and status, never a query, header or body. */
export function logRequests(
  request: IncomingMessage & { user?: Principal },
  response: ServerResponse,
  next: () => void,
): void {
  const start = performance.now();
  response.once('close', () => {
    const { route } = request as { route?: { path?: string } };
    log.log({
      requestId: requestIdOf(request),
      traceId: traceIdOf(traceparentFrom(request.headers.traceparent)),
      method: request.method,
      route: route?.path ?? null,
      status: response.writableFinished ? response.statusCode : 'cut off',
      ms: Math.round(performance.now() - start),
      caller: request.user ? `${request.user.type}:${request.user.id}` : null,
    });
  });
  next();
}
