import type { IncomingMessage, ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import { hasKeyForm, PREFIX_LENGTH } from '../authentication/key-format-and-authentication.service.js';
import type { Principal } from '../authentication/principals-and-roles.js';
import type { TrustedProxies } from '../http/https-rule-and-proxies.js';
import { requestIdOf, traceIdOf, traceparentFrom } from '../http/request-context.js';
import { PROBES } from '../http/routes.js';
import { currentTraceparent } from '../tracing/spans.js';

const log = new Logger('Request');

const causes = new WeakMap<IncomingMessage, string>();

/** Adds to the line of a request why the service could not do it, such as the SQLSTATE and what PostgreSQL said. */
export function noteCause(request: IncomingMessage, error: unknown): void {
  const { code, message } = ((error as { driverError?: Error }).driverError ??
    error) as Partial<NodeJS.ErrnoException>;
  causes.set(request, [code, message].filter(Boolean).join(' '));
}

type Authenticated = IncomingMessage & { user?: Principal };

/**
 * Returns what logs one line per finished request: caller, client's address, route and status, never a query, header or
 * body. Of a key that was rejected it has the prefix, by which the list of keys shows whose it is (contract §8.6).
 */
export const requestLog =
  (proxies: TrustedProxies) => (request: Authenticated, response: ServerResponse, next: () => void) => {
    const start = performance.now();
    const traceId = traceIdOf(currentTraceparent() ?? traceparentFrom(request.headers.traceparent));
    // A connection that has ended has no address any more.
    const client = proxies.clientOf(request);
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
        client,
        caller: request.user ? `${request.user.type}:${request.user.id}` : null,
        rejectedKey: response.statusCode === 401 ? keyPrefixIn(request) : undefined,
      });
    });
    next();
  };

/** Returns the part of a key that may be logged. A text of another form may be any secret, such as a password. */
function keyPrefixIn({ headers: { authorization = '' } }: IncomingMessage): string | undefined {
  const key = authorization.slice('Bearer '.length);
  return hasKeyForm(key) ? key.slice(0, PREFIX_LENGTH) : undefined;
}

/** What the service cannot do is a warning, beside the line of its cause; whatever a client does is information. That a probe succeeded says nothing new. */
function levelOf(route: string | undefined, status: number): 'warn' | 'log' | 'debug' {
  if (status >= 500) return 'warn';
  return route !== undefined && PROBES.has(route) ? 'debug' : 'log';
}
