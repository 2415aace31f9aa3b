import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { McpConnection } from '../../../../src/mcp/processes/connection/mcp-connection.js';
import { openConnection } from '../../../../src/mcp/processes/connection/open-connection.js';
import type { ServerDescription } from '../../../../src/mcp/processes/server-description-and-limits.js';
import {
  largeServer,
  legacyServer,
  listen,
  modernServer,
  type Remote,
  sseServer,
} from '../../../support/mcp-servers/remote.js';
import { until } from '../../../support/until.js';
import { aDataDir, aRemote, textOf } from './fake-servers.js';

const data = aDataDir();
afterAll(data.drop);

const open = (server: ServerDescription, allowedHosts: string[]): Promise<McpConnection> =>
  openConnection(server, {
    sandbox: 'process-group',
    serviceDataDir: data.path,
    startTimeoutMs: 10_000,
    allowedHosts,
  });

describe.each([
  ['http', 'modern', '2026-07-28', modernServer],
  ['http', 'legacy', '2025-11-25', legacyServer],
  ['sse', 'legacy', '2025-11-25', sseServer],
] as const)('a connection over %s to a server of the %s era', (transport, era, protocolVersion, start) => {
  let remote: Remote;
  let connection: McpConnection;
  beforeAll(async () => {
    remote = await start();
    connection = await open(aRemote(transport, remote.url), [remote.host]);
  });
  afterAll(async () => {
    await connection.close();
    await remote.close();
  });

  it('greets the server in its era and lists its tools', async () => {
    expect(connection).toMatchObject({ era, protocolVersion, pid: null });
    expect(await connection.listTools()).toContainEqual(expect.objectContaining({ name: 'echo' }));
  });

  it('calls a tool and delivers its progress before its result', async () => {
    const seen: unknown[] = [];
    const result = await connection.request(
      'tools/call',
      { name: 'work', arguments: {} },
      { onProgress: (params) => seen.push(params.progress) },
    );
    expect(textOf(result)).toBe('done');
    expect(seen).toEqual([1, 2, 3]);
  });

  it('sends the credentials with every request', () => {
    expect(remote.requests.length).toBeGreaterThan(1);
    expect(remote.requests.map(({ headers }) => headers.authorization)).toEqual(
      remote.requests.map(() => 'Bearer good-key'),
    );
  });

  it.each(['bad-key', 'forbidden-key'])(
    'distinguishes refused credentials (%s) from a server that is down',
    async (key) => {
      await expect(open(aRemote(transport, remote.url, key), [remote.host])).rejects.toMatchObject({
        name: 'McpStartFailure',
        phase: 'handshake',
        credentialsRefused: true,
        message: expect.not.stringContaining('key that you sent'),
      });
    },
  );

  it('does not reach an address on loopback that the operator has not allowed', async () => {
    const before = remote.requests.length;
    await expect(open(aRemote(transport, remote.url), [])).rejects.toMatchObject({
      message: expect.stringContaining('OUTBOUND_ALLOWED_HOSTS'),
    });
    expect(remote.requests).toHaveLength(before);
  });
});

describe('a server of the new era', () => {
  it('receives an argument in the header that its schema names', async () => {
    const remote = await modernServer();
    const connection = await open(aRemote('http', remote.url), [remote.host]);
    const result = await connection.request('tools/call', { name: 'route', arguments: { region: 'eu' } });
    expect(textOf(result)).toBe('eu');
    expect(remote.requests.at(-1)?.headers).toMatchObject({ 'mcp-name': 'route', 'mcp-param-region': 'eu' });
    await connection.close();
    await remote.close();
  });

  it('is notified that a call was cancelled', async () => {
    const remote = await modernServer();
    const connection = await open(aRemote('http', remote.url), [remote.host]);
    await expect(
      connection.request('tools/call', { name: 'hang' }, { timeoutMs: 200 }),
    ).rejects.toMatchObject({ kind: 'timed_out' });
    await until(() => remote.heard.includes('cancelled'));
    await connection.close();
    await remote.close();
  });
});

describe('a remote server that fails', () => {
  it('is reported as out of reach', async () => {
    const remote = await listen(() => undefined);
    await remote.close();
    await expect(open(aRemote('http', remote.url), [remote.host])).rejects.toMatchObject({
      message: expect.stringContaining('could not be reached'),
    });
  });

  it('is reported with its status when it returns something other than MCP', async () => {
    const remote = await listen((_request, response) =>
      response.writeHead(500).end('database password is hunter2'),
    );
    await expect(open(aRemote('http', remote.url), [remote.host])).rejects.toMatchObject({
      message: expect.stringContaining('HTTP 500'),
    });
    await expect(open(aRemote('http', remote.url), [remote.host])).rejects.toMatchObject({
      message: expect.not.stringContaining('hunter2'),
    });
    await remote.close();
  });

  it.each(['application/json', 'text/event-stream'] as const)(
    'is an error that asks for less when its response is larger than 4 MiB (%s)',
    async (type) => {
      const remote = await largeServer('x'.repeat(5 * 1024 * 1024), type);
      const connection = await open(aRemote('http', remote.url), [remote.host]);
      await expect(connection.request('tools/call', { name: 'any' })).rejects.toMatchObject({
        kind: 'too_large',
      });
      await connection.close();
      await remote.close();
    },
  );

  it('is an error that asks for less when its response is nested too deeply', async () => {
    const deep = Array.from({ length: 1_000 }).reduce((inner) => [inner], 'deep');
    const remote = await largeServer(deep, 'application/json');
    const connection = await open(aRemote('http', remote.url), [remote.host]);
    await expect(connection.request('tools/call', { name: 'any' })).rejects.toMatchObject({
      kind: 'too_large',
    });
    await connection.close();
    await remote.close();
  });

  it('ends an SSE connection, and the calls on it, when its stream breaks', async () => {
    const remote = await sseServer();
    const connection = await open(aRemote('sse', remote.url), [remote.host]);
    await remote.close();
    await expect(connection.closed).resolves.toMatchObject({ reason: expect.any(String) });
    await expect(connection.request('tools/list', {})).rejects.toMatchObject({ name: 'McpUnavailable' });
  });
});
