import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { format } from 'oxfmt';
import type { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { aServer, grant, pathOf, verify } from '../mcp/servers.js';
import { definitions, handshakes, results, type ReportedServer } from './reported-servers.js';

// docs/compatibility.md is this table: it says what was seen when this ran. `WRITE=true` writes it anew.
const PAGE = join(import.meta.dirname, '../../../docs/compatibility.md');
const BEGIN = '<!-- The tables below are written by test/api/gateway/reported-servers.api-spec.ts. -->';
const ordinary: Record<string, unknown> = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'odd', version: '1' },
  },
  'tools/call': { content: [{ type: 'text', text: 'fine' }] },
  ping: {},
};
const NOTHING = '**nothing**';
/** It takes a minute, and what it found is proven by the tests of definitions. */
const SIZE = process.env.TEST_SIZE;
const all = [...definitions, ...handshakes, ...results];

/** Answers as the row says whose number is in the path. */
const upstream = createServer(async (request, response) => {
  if (request.method !== 'POST') return response.writeHead(405).end();
  const row = all[Number(request.url!.slice(1))]!;
  const { id, method } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as {
    id?: number | string;
    method: string;
  };
  if (id === undefined) return response.writeHead(202).end();
  const result = row.answers[method] ?? ordinary[method];
  const { $frame, $id } = (result ?? {}) as { $frame?: object; $id?: 'text' };
  if ($frame) {
    const frame = { jsonrpc: '2.0', id: $id === 'text' ? String(id) : id, ...$frame };
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(frame));
  }
  const own = typeof result === 'string' ? result : JSON.stringify(result);
  const rest = own ? `"result":${own}` : '"error":{"code":-32601,"message":"Method not found"}';
  response.writeHead(200, { 'content-type': 'application/json' });
  return response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${rest}}`);
});
upstream.listen(0, '127.0.0.1');
await once(upstream, 'listening');
const { port } = upstream.address() as AddressInfo;
const catalog = new LocalCatalog();
for (const at of all.keys()) catalog.http(`row-${at}`, `http://127.0.0.1:${port}/${at}`);
const service = useService({
  settings: { CATALOG_DIRS: catalog.folder, MCP_ALLOWED_HOSTS: `127.0.0.1:${port}` },
});
afterAll(() => {
  catalog.remove();
  upstream.closeAllConnections();
  upstream.close();
});

/** One client, strict or not, at one address. */
interface Asker {
  names(): Promise<string[]>;
  call(name: string): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

type Connect = (url: string, key?: string) => Promise<Asker>;
const identity = { name: 'table', version: '1' };
const initOf = (key?: string): { requestInit: { headers: Record<string, string> } } => ({
  requestInit: { headers: key ? { authorization: `Bearer ${key}` } : {} },
});

const strict: Connect[] = [
  async (url, key) => {
    const client = new OldClient(identity);
    await client.connect(new OldTransport(new URL(url), initOf(key)));
    return {
      names: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name) => client.callTool({ name, arguments: {} }),
      close: () => client.close(),
    };
  },
  async (url, key) => {
    const client = new Client(identity, { versionNegotiation: { mode: 'legacy' } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), initOf(key)));
    return {
      names: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name) => client.callTool({ name, arguments: {} }),
      close: () => client.close(),
    };
  },
];

/** Takes whatever it is sent, as clients do that check nothing. */
const lenient: Connect = async (url, key) => {
  const headers: Record<string, string> = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...(key && { authorization: `Bearer ${key}` }),
  };
  const send = async (method: string, params: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(url, { method: 'POST', headers, body });
    const session = response.headers.get('mcp-session-id');
    if (session) headers['mcp-session-id'] = session;
    const text = await response.text();
    return JSON.parse(text.replace(/^[\s\S]*^data: /m, '')) as {
      result?: unknown;
      error?: { message: string };
    };
  };
  await send('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: identity });
  return {
    names: async () => {
      const { tools } = (await send('tools/list', {})).result as { tools: ({ name?: unknown } | null)[] };
      return tools.map((tool) => String(tool?.name));
    },
    call: async (name) => {
      const { result, error } = await send('tools/call', { name, arguments: {} });
      if (error) throw new Error(error.message);
      return result as Record<string, unknown>;
    },
    close: async () => undefined,
  };
};
const askers = [...strict, lenient];

/** What the three make of one address, each in a word. */
async function seen(url: string, word: (asker: Asker) => Promise<string>, key?: string): Promise<string[]> {
  const words: string[] = [];
  for (const connect of askers) {
    try {
      const asker = await connect(url, key);
      words.push(await word(asker).finally(() => asker.close()));
    } catch {
      words.push(NOTHING);
    }
  }
  return words;
}

const listed =
  (isOwn: (name: string) => boolean) =>
  async (asker: Asker): Promise<string> => {
    const names = (await asker.names()).filter(isOwn);
    const others = names.filter((name) => !name.endsWith('good')).length;
    if (names.length === 0) return 'no tool';
    return others === 0 ? 'the good one' : `good + ${others}`;
  };

const answered = (tool: string) => async (asker: Asker) => {
  const { isError, content, structuredContent } = await asker.call(tool);
  if (isError) return 'error';
  const blocks = Array.isArray(content) ? content.length : content === undefined ? 'no' : '**no list as**';
  return `${blocks} content${structuredContent === undefined || structuredContent === null ? '' : ' + structured'}`;
};

/**
 * An odd definition takes nothing from a client, also where it took all directly; an odd result only itself. What is no
 * JSON-RPC is refused, as the strict clients do.
 */
const lostMore = (direct: string, through: string, isCall: boolean): boolean =>
  isCall ? direct !== NOTHING && [NOTHING, 'error'].includes(through) : through === NOTHING;

(SIZE === 'full' ? describe : describe.skip)('docs/compatibility.md', () => {
  let agent: Caller;
  const tables: string[] = [];
  beforeAll(async () => {
    agent = await asAgent(service);
  });

  /** Tries each server directly, and then through the gateway. */
  async function tried(rows: ReportedServer[], isCall: boolean): Promise<string[][]> {
    const lines: string[][] = [];
    for (const row of rows) {
      const at = all.indexOf(row);
      const server = await aServer(service.owner, `row-${at}`);
      const { status, warnings, details } = (await verify(service.owner, server)).body;
      await grant(service.owner, server, agent);
      const own = (name: string) => name.startsWith(`${server.slug}__`);
      const word = (tool: string, isOwn: (name: string) => boolean) =>
        isCall ? answered(tool) : listed(isOwn);
      const direct = await seen(
        `http://127.0.0.1:${port}/${at}`,
        word('odd', () => true),
      );
      const through = await seen(`${service.baseUrl}/mcp`, word(`${server.slug}__odd`, own), agent.key!);
      const said = warnings.map(({ subject, message }) => `${subject}: ${message}`).join(' ');
      const verdict = status === 'ok' ? (said === '' ? 'ok' : `ok; ${said}`) : `${status}: ${details}`;
      const plain = verdict.replaceAll(server.name, 'the server').replaceAll('|', '\\|');
      lines.push([row.name, row.source, ...direct, ...through, plain]);
      await service.owner.delete(pathOf(server));
    }
    return lines;
  }

  const tableOf = (title: string, lines: string[][]): string => {
    const head = ['server sends', 'seen in', 'sdk 1.32', 'client 2.4', 'lenient'];
    const columns = [...head, 'sdk 1.32 through', 'client 2.4 through', 'lenient through', 'verification'];
    const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
    return [`## ${title}`, '', row(columns), row(columns.map(() => '---')), ...lines.map(row), ''].join('\n');
  };

  it.each<[string, ReportedServer[], boolean]>([
    ['Definitions', definitions, false],
    ['Handshakes and pages', handshakes, false],
    ['Results', results, true],
  ])(
    'holds of %s: no client loses through the gateway what it had without',
    async (title, rows, isCall) => {
      const lines = await tried(rows, isCall);
      tables.push(tableOf(title, lines));
      const columns = isCall ? [5, 6] : [5, 6, 7];
      const lost = lines.filter((cells) =>
        columns.some((at) => lostMore(cells[at - 3]!, cells[at]!, isCall)),
      );
      expect(lost).toEqual([]);
    },
    300_000,
  );

  it('is what was seen', async () => {
    const page = readFileSync(PAGE, 'utf8');
    const [words] = page.split(BEGIN);
    const whole = `${words}${BEGIN}\n\n${tables.join('\n')}`;
    const { code: now } = await format(PAGE, whole, { printWidth: 110 });
    if (process.env.WRITE === 'true') writeFileSync(PAGE, now);
    expect(all.length).toBeGreaterThanOrEqual(60);
    expect(page).toBe(now);
  });
});
