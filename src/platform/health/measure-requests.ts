import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MetricsService } from './metrics.service.js';

/** Measures each request under the template of its route, so that ids do not create series. */
export function measureRequests(metrics: MetricsService) {
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
