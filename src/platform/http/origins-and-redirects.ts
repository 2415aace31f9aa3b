import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';

/** The names under which a browser may reach a service that listens on loopback or on all addresses. */
const THIS_HOST = ['localhost', '127.0.0.1', '[::1]'];
const EVERYWHERE = ['0.0.0.0', '[::]'];

/** The address under which clients reach the service, without a trailing slash; known once it listens. */
export class PublicAddress {
  url = 'http://127.0.0.1';
}

/** The origins whose web pages may call the service from a browser: its own, and those of DASHBOARD_ORIGINS. */
export class ServiceOrigins {
  constructor(
    private readonly address: PublicAddress,
    private readonly dashboards: string[],
  ) {}

  includes(origin: string): boolean {
    return this.isDashboard(origin) || this.own().includes(origin);
  }

  /** Whether an operator has named the origin in DASHBOARD_ORIGINS. */
  isDashboard(origin: string): boolean {
    return this.dashboards.includes(origin);
  }

  private own(): string[] {
    const own = new URL(this.address.url);
    if (![...THIS_HOST, ...EVERYWHERE].includes(own.hostname)) return [own.origin];
    const port = own.port && `:${own.port}`;
    return THIS_HOST.map((host) => `${own.protocol}//${host}${port}`);
  }
}

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
    ['Vary', 'Authorization, Cookie, Origin'],
    ['Access-Control-Allow-Credentials', 'true'],
    ['Access-Control-Expose-Headers', EXPOSED.join(',')],
  ];
}

/** Whether a request is a CORS preflight: an OPTIONS without this header is a method like any other. */
function isPreflight(request: Request): boolean {
  return request.headers['access-control-request-method'] !== undefined;
}

/** Redirects a browser. Express would repeat the address, which may have the state of a sign-in, in a body. */
export function leadTo(response: Response, address: string): void {
  response.status(303).location(address).end();
}

const ANY_ORIGIN = 'http://service.invalid';
const MOST_CHARACTERS = 2_000;

/**
 * Returns a path of this service, with its query, to which a sign-in may lead. Everything else becomes `/`, so that the
 * service never redirects to another site (contract §2.9).
 */
export function ownPath(wanted: unknown): string {
  if (typeof wanted !== 'string' || wanted.length > MOST_CHARACTERS) return '/';
  // Browsers read a backslash as a slash, and drop tabs and line breaks before they look at the rest.
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(wanted) || wanted.includes('\\')) return '/';
  if (!URL.canParse(wanted, ANY_ORIGIN)) return '/';
  const { origin, pathname, search, hash } = new URL(wanted, ANY_ORIGIN);
  // `/.//evil.example` has the path `//evil.example` once its dots are resolved.
  return origin === ANY_ORIGIN && !pathname.startsWith('//') ? pathname + search + hash : '/';
}
