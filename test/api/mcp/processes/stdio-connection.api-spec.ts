import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { McpConnection, OpenOptions } from '../../../../src/mcp/processes/connection/mcp-connection.js';
import { openConnection } from '../../../../src/mcp/processes/connection/open-connection.js';
import type { ServerDescription } from '../../../../src/mcp/processes/server-description-and-limits.js';
import { until } from '../../../support/until.js';
import { aDataDir, aServer, LEVELS, textOf } from './fake-servers.js';

const data = aDataDir();
const open = (server: ServerDescription, further: Partial<OpenOptions> = {}): Promise<McpConnection> =>
  openConnection(server, {
    sandbox: 'process-group',
    serviceDataDir: data.path,
    startTimeoutMs: 20_000,
    ...further,
  });

afterAll(data.drop);

describe.each(LEVELS)('a connection to a stdio server at the level %s', (sandbox) => {
  let connection: McpConnection;
  beforeAll(async () => {
    const server = aServer(data.path, 'misbehaving.mjs polite', {
      env: { DECLARED: 'a $(value) with "quotes"' },
      secretFiles: [{ variable: 'KEY_FILE', content: 'the content' }],
    });
    connection = await open(server, { sandbox });
  });
  afterAll(() => connection.close());

  it('greets the server and lists its tools', async () => {
    expect(connection).toMatchObject({
      era: 'legacy',
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'fake', version: '1.0.0' },
    });
    expect(await connection.listTools()).toContainEqual(expect.objectContaining({ name: 'echo' }));
  });

  it('gives the server exactly PATH, HOME, TMPDIR, LANG, the declared variables and the secret files', async () => {
    const environment: Record<'DECLARED' | 'HOME' | 'KEY_FILE', string> = JSON.parse(
      textOf(await connection.request('tools/call', { name: 'environment' })),
    );
    expect(Object.keys(environment).toSorted()).toEqual([
      'DECLARED',
      'HOME',
      'KEY_FILE',
      'LANG',
      'PATH',
      'TMPDIR',
    ]);
    expect(environment.DECLARED).toBe('a $(value) with "quotes"');
    expect(statSync(environment.KEY_FILE).mode & 0o777).toBe(0o600);
    expect(readFileSync(environment.KEY_FILE, 'utf8')).toBe('the content');
    expect(statSync(environment.HOME).mode & 0o777).toBe(0o700);
  });

  it('leaves no process, secret file or folder of the start behind when it is closed', async () => {
    await connection.close();
    await expect(connection.closed).resolves.toEqual({ reason: 'The server exited with code 0.' });
    expect(readdirSync(join(data.path, 'mcp-run'))).toEqual([]);
  });
});

describe('the stdio transport', () => {
  it('delivers progress before a result that arrives in the same chunk, every time', async () => {
    const connection = await open(aServer(data.path, 'misbehaving.mjs progress-for-ever'));
    for (let round = 0; round < 20; round += 1) {
      const seen: unknown[] = [];
      const onProgress = (params: Record<string, unknown>): unknown => seen.push(params.progress);
      await connection.request('tools/call', { name: 'progress-then-result' }, { onProgress });
      expect(seen).toEqual([1, 2, 3, 4, 5]);
    }
    await connection.close();
  });

  it('passes arguments, meta and results on unchanged', async () => {
    const connection = await open(aServer(data.path, 'misbehaving.mjs polite'));
    const result = await connection.request('tools/call', {
      name: 'echo',
      arguments: { deep: [{ a: null, b: 'ü' }] },
    });
    expect(result).toEqual({ content: [{ type: 'text', text: '{"deep":[{"a":null,"b":"ü"}]}' }] });
    await connection.close();
  });

  it('throws the JSON-RPC error that the server returned', async () => {
    const connection = await open(aServer(data.path, 'misbehaving.mjs polite'));
    await expect(connection.request('no/such', {})).rejects.toMatchObject({
      name: 'McpError',
      code: -32601,
      message: 'Method not found',
    });
    await connection.close();
  });

  it('refuses arguments over 4 MiB without sending them', async () => {
    const connection = await open(aServer(data.path, 'misbehaving.mjs polite'));
    const call = connection.request('tools/call', {
      name: 'echo',
      arguments: { big: 'x'.repeat(5 * 1024 * 1024) },
    });
    await expect(call).rejects.toMatchObject({ kind: 'too_large' });
    expect(textOf(await connection.request('tools/call', { name: 'echo', arguments: {} }))).toBe('{}');
    await connection.close();
  });

  it('cancels a call and notifies the server', async () => {
    const connection = await open(aServer(data.path, 'both-eras.mjs serve'));
    const giveUp = new AbortController();
    const call = connection.request('tools/call', { name: 'hang' }, { signal: giveUp.signal });
    const refused = expect(call).rejects.toMatchObject({ kind: 'cancelled' });
    await until(() => connection.stderrTail().includes('hanging'));
    giveUp.abort();
    await refused;
    await until(() => connection.stderrTail().includes('cancelled'));
    await connection.close();
  });
});
