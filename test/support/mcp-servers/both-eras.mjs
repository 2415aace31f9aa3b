// A server of the official SDK on stdio: node both-eras.mjs serve|reject. `reject` serves the modern era only.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const text = (value) => ({ content: [{ type: 'text', text: value }] });

/** `log` receives what happens to the tool `hang`: hanging, then cancelled. */
export function aServer(log) {
  const server = new McpServer({ name: 'both-eras', version: '2.0.0' }, { instructions: 'Be kind.' });
  server.registerTool(
    'echo',
    { description: 'echoes', inputSchema: z.object({ value: z.string() }) },
    ({ value }) => text(value),
  );
  // The server requires this argument as a header too and refuses an HTTP call without it.
  const region = z.string().meta({ 'x-mcp-header': 'Region' });
  server.registerTool(
    'route',
    { description: 'routes', inputSchema: z.object({ region }) },
    ({ region: to }) => text(to),
  );
  server.registerTool('grow', { description: 'gets one more tool' }, () => {
    server.registerTool('grown', { description: 'new' }, () => text('grown'));
    return text('grown');
  });
  server.registerTool('work', { description: 'reports progress' }, async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [1, 2, 3])
      await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress } });
    return text('done');
  });
  server.registerTool('hang', { description: 'answers only when cancelled' }, (ctx) => {
    log('hanging');
    return new Promise((resolve) =>
      ctx.mcpReq.signal.addEventListener('abort', () => (log('cancelled'), resolve(text('late')))),
    );
  });
  return server;
}

if (process.argv[1]?.endsWith('both-eras.mjs'))
  serveStdio(() => aServer(console.error), { legacy: process.argv[2] });
