import { readdirSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative } from 'node:path';
import Negotiator from 'negotiator';
import send from 'send';
import type { FirstStep } from '../http/http-server.js';

/** The dashboard as `scripts/build-dashboard.mjs` leaves it, beside the service's own build. */
const DASHBOARD_FOLDER = join(import.meta.dirname, '../../../../dashboard/dist');

/**
 * The files of the built dashboard, listed again whenever another build is put in place: the one that a first start
 * makes in the background, or the one that replaces a stale one while the service runs.
 */
export class DashboardBuild {
  private paths: ReadonlySet<string> | null = null;
  private builtAt: number | null = null;

  constructor(readonly folder: string) {}

  /** Returns paths such as `/assets/index-1a2b.js`; null while there is no build. */
  files(): ReadonlySet<string> | null {
    const builtAt = statSync(join(this.folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? null;
    if (builtAt !== this.builtAt) {
      this.paths = builtAt === null ? null : filesIn(this.folder);
      this.builtAt = builtAt;
    }
    return this.paths;
  }
}

function filesIn(folder: string): ReadonlySet<string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Set(entries.map((entry) => `/${relative(folder, join(entry.parentPath, entry.name))}`));
}

const RELOAD_SECONDS = 3;

/** Shown by a first start until the dashboard is built; the API works meanwhile. It reloads by itself. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="${RELOAD_SECONDS}">
<title>Agent Work Platform</title>
</head>
<body>
<h1>Agent Work Platform</h1>
<p>The service is running. Its dashboard is being built; this page reloads until it is there, usually within a minute.</p>
<p><a href="/api/docs">Open Swagger UI</a></p>
</body>
</html>
`;

export function buildingPage(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(PAGE),
    'Cache-Control': 'no-store',
  });
  response.end(request.method === 'HEAD' ? undefined : PAGE);
}

/** What the service itself answers, whatever a browser asks for: unknown paths there keep their problem details. */
const SERVICE_PATHS = /^\/(?:api|mcp|v0\.1|livez|readyz|metrics|\.well-known)(?:\/|$)/;

/** Files under this folder carry a hash of their content in their name, so a browser may keep them for ever. */
const HASHED = '/assets/';
const ONE_YEAR_MS = 31_536_000_000;

/** Own scripts and styles only. Nothing can be framed, posted elsewhere, or turned from a string into script. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** Returns what answers a browser: the dashboard, or with `DASHBOARD=off` (contract §9) Swagger UI. */
export const dashboardOrSwagger = (isOn: boolean): FirstStep =>
  isOn ? serveDashboard(DASHBOARD_FOLDER) : leadToSwagger;

/**
 * Answers what belongs to the dashboard: its files, and its page for every other address that a browser opens. The
 * page decides by the address what it shows. Everything else goes on to the service's routes.
 */
export function serveDashboard(folder: string): FirstStep {
  const build = new DashboardBuild(folder);
  return (request, response, next) => {
    const path = pathOf(request);
    if (path === null || SERVICE_PATHS.test(path)) return next();
    const files = build.files();
    if (files?.has(path) && path !== '/index.html')
      return sendFile(request, response, build.folder, path, files);
    if (!wantsPage(request, path)) return next();
    if (files === null) return buildingPage(request, response);
    response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    sendFile(request, response, build.folder, '/index.html', files);
  };
}

/** Leads a browser that opens the address of a service without a dashboard to Swagger UI. */
export const leadToSwagger: FirstStep = (request, response, next) => {
  const path = pathOf(request);
  if (path !== '/' || !wantsPage(request, path)) return next();
  response.writeHead(302, { Location: '/api/docs', 'Cache-Control': 'no-store' });
  response.end();
};

/** Returns the decoded path of a GET or HEAD request, and null for any other request. */
function pathOf({ method, url }: IncomingMessage): string | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  try {
    return decodeURIComponent(new URL(url ?? '/', 'http://service').pathname);
  } catch {
    // A malformed path names no file of the dashboard; the routes reject it.
    return null;
  }
}

/**
 * A browser that opens an address asks for HTML; a path that looks like a file is not a page. `/` is nothing but a page,
 * so every client that admits HTML gets it.
 */
function wantsPage({ headers }: IncomingMessage, path: string): boolean {
  if (path === '/') return new Negotiator({ headers }).mediaType(['text/html']) !== undefined;
  return extname(path) === '' && (headers.accept ?? '').toLowerCase().includes('text/html');
}

/** Sends a file, in its brotli form where the build made one and the client takes it. */
function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  root: string,
  path: string,
  files: ReadonlySet<string>,
): void {
  const compressed = `${path}.br`;
  const brotli = files.has(compressed) && /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''));
  const hashed = path.startsWith(HASHED);
  const options = hashed ? { immutable: true, maxAge: ONE_YEAR_MS } : { cacheControl: false };
  if (!hashed) response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('Vary', 'Accept-Encoding');
  if (brotli) {
    response.setHeader('Content-Encoding', 'br');
    response.setHeader('Content-Type', contentTypes[extname(path)] ?? 'application/octet-stream');
  }
  send(request, brotli ? compressed : path, { root, dotfiles: 'deny', ...options })
    .on('error', (error: { status?: number }) => {
      response.statusCode = error.status ?? 500;
      response.end();
    })
    .pipe(response);
}

/** The types of what the build compresses; `send` reads the type of anything else off its name. */
const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};
