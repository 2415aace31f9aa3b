import type { IncomingMessage, ServerResponse } from 'node:http';
import { traceparentFrom } from '../http/headers/traceparent.js';
import { PROBES } from '../http/routes/probes.js';
import { markSpanFailed, startRootSpan, withSpan } from './spans.js';

/**
 * Opens a span per request, under the template of its route: an address has ids in its path, and may have anything in
 * its query. The caller's trace goes on in it. A trace of a probe would show nothing.
 */
export function traceRequests(
  request: IncomingMessage & { user?: { type: string; id: string }; route?: { path?: string } },
  response: ServerResponse,
  next: () => void,
): void {
  const method = request.method ?? '';
  const attributes = { 'http.request.method': method };
  const continues = traceparentFrom(request.headers.traceparent);
  const span = PROBES.has(request.url ?? '')
    ? null
    : startRootSpan(method, { kind: 'server', attributes, continues });
  if (!span) return next();
  response.once('close', () => {
    const { route, user } = request;
    const status = response.statusCode;
    if (route?.path) span.updateName(`${method} ${route.path}`).setAttribute('http.route', route.path);
    if (user) span.setAttribute('awp.caller', `${user.type}:${user.id}`);
    if (response.writableFinished) span.setAttribute('http.response.status_code', status);
    const error = response.writableFinished ? (status >= 500 ? String(status) : null) : 'cut_off';
    if (error) markSpanFailed(span, error);
    span.end();
  });
  withSpan(span, next);
}
