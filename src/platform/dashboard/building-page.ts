import type { IncomingMessage, ServerResponse } from 'node:http';

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
