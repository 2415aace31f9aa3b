// The client libraries, each used as its own documentation says. This file runs from the folder of their packages, to which
// run.mjs copies it. Each adapter connects once and returns `call(tool, arguments)`, which resolves to the text of the result
// or to the error of a result, and rejects where the library throws.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** @typedef {{ call: (name: string, given?: object) => Promise<string>, close: () => Promise<unknown> }} Connected */

/** @type {Record<string, (url: string, key: string) => Promise<Connected>>} */
export const adapters = {
  'SDK 1.32.2': async (url, key) => {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { StreamableHTTPClientTransport } =
      await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const client = new Client({ name: 'drill', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: withKey(key) }));
    return ofSdk(client);
  },
  'client 2.4.0, default (2025-11-25)': (url, key) => clientOf(url, key, {}),
  'client 2.4.0, auto (2026-07-28)': (url, key) =>
    clientOf(url, key, { versionNegotiation: { mode: 'auto' } }),
  '@ai-sdk/mcp 1.0.101': async (url, key) => {
    const { createMCPClient } = await import('@ai-sdk/mcp');
    const client = await createMCPClient({ transport: { type: 'http', url, ...withKey(key) } });
    const tools = await client.tools();
    return {
      call: async (name, given = {}) =>
        textOf(await tools[name].execute(given, { toolCallId: 'x', messages: [] })),
      close: () => client.close(),
    };
  },
  '@langchain/mcp-adapters 1.1.4': async (url, key) => {
    const { MultiServerMCPClient } = await import('@langchain/mcp-adapters');
    const client = new MultiServerMCPClient({
      mcpServers: { awp: { transport: 'http', url, ...withKey(key) } },
    });
    const tools = await client.getTools();
    return {
      call: async (name, given = {}) => String(await tools.find((tool) => tool.name === name).invoke(given)),
      close: () => client.close(),
    };
  },
  'mcp-use 1.34.6': async (url, key) => {
    const { MCPClient } = await import('mcp-use/client');
    const client = MCPClient.fromDict({ mcpServers: { awp: { url, ...withKey(key) } } });
    const session = await client.createSession('awp');
    return {
      call: async (name, given = {}) => textOf(await session.callTool(name, given)),
      close: () => client.closeAllSessions(),
    };
  },
  '@openai/agents 0.20.0': async (url, key) => {
    const { MCPServerStreamableHttp } = await import('@openai/agents');
    const server = new MCPServerStreamableHttp({ url, name: 'awp', requestInit: withKey(key) });
    await server.connect();
    return {
      call: async (name, given = {}) => textOf({ content: await server.callTool(name, given) }),
      close: () => server.close(),
    };
  },
  'mcp-remote 0.15.1 (stdio)': bridge,
  'mcporter 0.9.0': async (url, key) => {
    const { createRuntime } = await import('mcporter');
    const command = { kind: 'http', url: new URL(url), ...withKey(key) };
    const runtime = await createRuntime({ servers: [{ name: 'awp', command }] });
    return {
      call: async (name, args = {}) => textOf(await runtime.callTool('awp', name, { args })),
      close: () => runtime.close(),
    };
  },
};

const withKey = (key) => ({ headers: { Authorization: `Bearer ${key}` } });

async function clientOf(url, key, options) {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'drill', version: '1' }, options);
  client.onerror = () => undefined;
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: withKey(key) }));
  return ofSdk(client);
}

function ofSdk(client) {
  return {
    call: async (name, given = {}) => textOf(await client.callTool({ name, arguments: given })),
    close: () => client.close(),
  };
}

/** A bridge process that a client with stdio alone starts. It speaks JSON lines. */
async function bridge(url, key) {
  const main = join(import.meta.dirname, 'node_modules/mcp-remote/dist/proxy.js');
  const flags = [url, '--allow-http', '--transport', 'http-only', '--header', `Authorization:Bearer ${key}`];
  const child = spawn(process.execPath, [main, ...flags], { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines.filter(Boolean)) {
      const message = JSON.parse(line);
      waiting.get(message.id)?.(message);
    }
  });
  let last = 0;
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = async (method, params) => {
    const id = (last += 1);
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    const { error, result } = await answer;
    if (error) throw new Error(error.message);
    return result;
  };
  const clientInfo = { name: 'drill', version: '1' };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  return {
    call: async (name, given = {}) => textOf(await ask('tools/call', { name, arguments: given })),
    close: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function textOf(result) {
  const content = result?.content ?? result?.raw?.content ?? [];
  return content.map(({ text }) => text ?? '').join('');
}
