// A small MCP server of the old era (initialize, newline-delimited JSON) to build fakes from. Node only: it has to
// run inside the sandbox, where nothing but this folder is mounted.
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

/** `calls`: tool name -> (arguments, request) => result; undefined as a result means: no answer. */
export function serve({
  calls = { echo: (given) => text(given) },
  tools,
  capabilities = { tools: {} },
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
