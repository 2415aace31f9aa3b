// A minimal MCP server of the legacy era (initialize, newline-delimited JSON) on which the other test servers build. It
// uses Node's own modules alone, because the sandbox mounts nothing but this folder.
import { createInterface } from 'node:readline';

export const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
export const text = (value) => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});
export const tool = (name, description = `does ${name}`) => ({
  name,
  description,
  inputSchema: { type: 'object' },
});

/** `calls` maps a tool's name to `(arguments, request) => result`; the result undefined sends no response. `further` has other methods. */
export function serve({
  calls = { echo: (given) => text(given) },
  tools,
  capabilities = { tools: {} },
  further = {},
  onMessage,
} = {}) {
  const answers = {
    initialize: (params) => ({
      protocolVersion: params.protocolVersion,
      capabilities,
      serverInfo: { name: 'fake', version: '1.0.0' },
    }),
    ping: () => ({}),
    'tools/list': () => ({ tools: tools ?? Object.keys(calls).map((name) => tool(name)) }),
    'tools/call': (params, request) => calls[params.name]?.(params.arguments, request),
    ...further,
  };
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const message = JSON.parse(line);
    onMessage?.(message);
    if (message.id === undefined || message.method === undefined) return;
    const answer = answers[message.method];
    if (!answer) return send({ id: message.id, error: { code: -32601, message: 'Method not found' } });
    const result = await answer(message.params ?? {}, message);
    if (result !== undefined) send({ id: message.id, result });
  });
}
