import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { leadToSwagger, serveDashboard } from './serve-dashboard.js';

let folder: string;
let server: Server;
let url: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'awp-dashboard-'));
  const serve = serveDashboard(folder);
  server = createServer((request, response) =>
    serve(request, response, () => {
      response.statusCode = 404;
      response.end('the service');
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

function build(): void {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>page</title>');
  writeFileSync(join(folder, 'assets/app-1a2b.js'), 'let a = 1;');
  writeFileSync(join(folder, 'assets/app-1a2b.js.br'), brotliCompressSync('let a = 1;'));
  writeFileSync(join(folder, 'theme.js'), '1;');
}

const html = { accept: 'text/html,application/xhtml+xml' };
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url + path, { headers, method });

describe('serveDashboard', () => {
  it.each(['/', '/p/PAY/board', '/i/PAY-12'])(
    'serves the page for %s, which is never cached unchecked',
    async (path) => {
      build();
      const response = await get(path, html);
      expect(await response.text()).toContain('<title>page</title>');
      expect(response.headers.get('cache-control')).toBe('no-cache');
    },
  );

  it('serves the page under a policy that allows own scripts and styles only', async () => {
    build();
    const policy = (await get('/', html)).headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain('unsafe');
  });

  it('serves a hashed file to be kept for a year, compressed where the client takes brotli', async () => {
    build();
    const response = await get('/assets/app-1a2b.js', { 'accept-encoding': 'br' });
    expect(await response.text()).toBe('let a = 1;');
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const plain = await get('/assets/app-1a2b.js', { 'accept-encoding': 'gzip' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.headers.get('vary')).toBe('Accept-Encoding');
  });

  it('has a file without a hash checked at each use', async () => {
    build();
    expect((await get('/theme.js')).headers.get('cache-control')).toBe('no-cache');
  });

  it.each(['/api/nothing', '/api', '/mcp', '/livez', '/metrics/', '/v0.1/servers', '/.well-known/oauth-x'])(
    'leaves %s to the service, even when a browser asks for a page',
    async (path) => {
      build();
      expect(await (await get(path, html)).text()).toBe('the service');
    },
  );

  it.each(['*/*', 'text/*', 'TEXT/HTML', undefined])('serves its page at / to Accept %p', async (accept) => {
    build();
    const response = await get('/', accept === undefined ? {} : { accept });
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await (await get('/nothing', { accept: '*/*' })).text()).toBe('the service');
  });

  it('leaves to the service what asks for no page, and what is not read', async () => {
    build();
    expect((await get('/nothing', { accept: 'application/json' })).status).toBe(404);
    expect((await get('/', { accept: 'application/json' })).status).toBe(404);
    expect((await get('/assets/missing.js', html)).status).toBe(404);
    expect((await get('/', html, 'POST')).status).toBe(404);
  });

  it.each(['/assets/..%2f..%2fetc%2fpasswd', '/%2e%2e/%2e%2e/etc/passwd', '/%00', '/%E0%A4%A'])(
    'serves nothing outside the build for %s',
    async (path) => {
      build();
      const response = await get(path);
      expect(response.status).toBe(404);
    },
  );

  it('says that the dashboard is being built, and serves it without a restart once it is', async () => {
    const before = await get('/', html);
    expect(await before.text()).toContain('being built');
    expect(before.headers.get('cache-control')).toBe('no-store');
    build();
    expect(await (await get('/', html)).text()).toContain('<title>page</title>');
  });

  it('serves the files of a build that replaces the one it began with', async () => {
    build();
    await get('/', html);
    writeFileSync(join(folder, 'assets/app-3c4d.js'), 'let b = 2;');
    utimesSync(join(folder, 'index.html'), new Date(), new Date(Date.now() + 60_000));
    expect((await get('/assets/app-3c4d.js')).status).toBe(200);
  });
});

describe('leadToSwagger', () => {
  const begin = async (path: string, headers: Record<string, string>) => {
    server.removeAllListeners('request');
    server.on('request', (request, response) =>
      leadToSwagger(request, response, () => response.writeHead(404).end()),
    );
    const response = await fetch(url + path, { headers, redirect: 'manual' });
    return [response.status, response.headers.get('location')];
  };

  it('sends a browser that opens the bare address to Swagger UI, and nothing else', async () => {
    expect(await begin('/', html)).toEqual([302, '/api/docs']);
    expect(await begin('/', { accept: 'application/json' })).toEqual([404, null]);
    expect(await begin('/projects', html)).toEqual([404, null]);
    expect(await begin('/api', html)).toEqual([404, null]);
  });
});
