import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from './metrics.js';

/** Measures each request under the template of its route, so that ids make no series of their own. */
export function measureRequests(metrics: Metrics) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const start = performance.now();
    response.once('close', () => {
      const { route } = request as { route?: { path?: string } };
      const seconds = (performance.now() - start) / 1000;
      metrics.request(request.method ?? '', route?.path ?? null, response.statusCode, seconds);
    });
    next();
  };
}
