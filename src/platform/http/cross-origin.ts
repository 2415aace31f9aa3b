import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';
import type { ServiceOrigins } from './service-origins.js';

/** Headers of answers that a dashboard's script may read, beside the few that browsers always show. */
const EXPOSED = [
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
 * CORS for DASHBOARD_ORIGINS and nobody else (spec §2): a preflight is answered before anyone asks who calls.
 * Whatever else a browser sends goes on without a CORS header, so that its page can't read the answer.
 */
export function allowDashboards(app: NestExpressApplication, origins: ServiceOrigins): void {
  app.enableCors((request: Request, tell: (fault: null, options: object) => void) => {
    const { origin } = request.headers;
    const allowed = origin !== undefined && origins.isDashboard(origin);
    const rules = {
      credentials: true,
      methods: METHODS,
      exposedHeaders: EXPOSED,
      maxAge: PREFLIGHT_SECONDS,
      preflightContinue: !isPreflight(request),
    };
    tell(null, allowed ? { origin: [origin], ...rules } : { origin: false });
  });
}

/** An OPTIONS without this header asks nothing of CORS, and is a verb like any other. */
function isPreflight(request: Request): boolean {
  return request.headers['access-control-request-method'] !== undefined;
}
