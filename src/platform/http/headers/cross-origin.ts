import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';
import type { ServiceOrigins } from './service-origins.js';

/** Response headers that a dashboard's script may read, besides the few that browsers always expose. */
const EXPOSED = [
  'Content-Disposition',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Mcp-Session-Id',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
  'X-Total-Count',
  'X-Total-Count-Capped',
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];
const PREFLIGHT_SECONDS = 600;

/**
 * Allows CORS for DASHBOARD_ORIGINS only (contract §2). A preflight is answered before authentication. All other requests
 * of browsers continue without a CORS header, so that the page cannot read the response.
 */
export function allowDashboards(app: NestExpressApplication, origins: ServiceOrigins): void {
  app.enableCors((request: Request, callback: (error: null, options: object) => void) => {
    const { origin } = request.headers;
    const allowed = origin !== undefined && origins.isDashboard(origin);
    const rules = {
      credentials: true,
      methods: METHODS,
      exposedHeaders: EXPOSED,
      maxAge: PREFLIGHT_SECONDS,
      preflightContinue: !isPreflight(request),
    };
    callback(null, allowed ? { origin: [origin], ...rules } : { origin: false });
  });
}

/** Returns the CORS headers of a request that is answered before Express, the same that `allowDashboards` sets there. */
export function dashboardHeaders(origin: string | undefined, origins: ServiceOrigins): [string, string][] {
  if (origin === undefined || !origins.isDashboard(origin)) return [];
  return [
    ['Access-Control-Allow-Origin', origin],
    ['Vary', 'Origin'],
    ['Access-Control-Allow-Credentials', 'true'],
    ['Access-Control-Expose-Headers', EXPOSED.join(',')],
  ];
}

/** Whether a request is a CORS preflight: an OPTIONS without this header is a method like any other. */
function isPreflight(request: Request): boolean {
  return request.headers['access-control-request-method'] !== undefined;
}
