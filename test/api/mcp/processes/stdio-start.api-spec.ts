import { afterAll, describe, expect, it } from '@jest/globals';
import {
  openConnection,
  type McpConnection,
  type OpenOptions,
} from '../../../../src/mcp/processes/mcp-connection.js';
import type { StartPhase } from '../../../../src/mcp/processes/mcp-errors.js';
import type { ServerDescription } from '../../../../src/mcp/processes/server-description.js';
import { aDataDir, aServer, eventually, textOf } from './fake-servers.js';

const data = aDataDir();
const open = (server: ServerDescription, further: Partial<OpenOptions> = {}): Promise<McpConnection> =>
  openConnection(server, {
    sandbox: 'process-group',
    serviceDataDir: data.path,
    startTimeoutMs: 20_000,
    ...further,
  });

afterAll(data.drop);

describe('starting a stdio server', () => {
  it('says which of command and folder is missing', async () => {
    const noCommand = open(aServer(data.path, 'misbehaving.mjs polite', { command: '/nowhere/node' }));
    await expect(noCommand).rejects.toMatchObject({
      phase: 'spawn',
      message: expect.stringContaining('program that runs the server does not exist'),
    });
    const noFolder = open(aServer(data.path, 'misbehaving.mjs polite', { cwd: '/nowhere' }));
    await expect(noFolder).rejects.toMatchObject({
      phase: 'spawn',
      message: expect.stringContaining('folder that the server is to run in does not exist'),
    });
  });

  it('says when a value is too large for a process', async () => {
    const start = open(aServer(data.path, 'misbehaving.mjs polite', { env: { BIG: 'x'.repeat(200_000) } }));
    await expect(start).rejects.toMatchObject({
      phase: 'spawn',
      message: expect.stringContaining('too large'),
    });
  });

  it('tells its phases, and the last words of a server that would not start', async () => {
    const phases: StartPhase[] = [];
    const start = open(aServer(data.path, 'misbehaving.mjs exit-at-once'), {
      phase: (phase) => phases.push(phase),
    });
    await expect(start).rejects.toMatchObject({
      phase: 'handshake',
      message: expect.stringContaining('exited with code 3'),
      stderrTail: 'I cannot work like this.',
    });
    expect(phases).toContain('spawn');
    expect(phases.at(-1)).toBe('handshake');
  });

  it('greets a server of the new era, and again without a probe by the verdict that was kept', async () => {
    const server = aServer(data.path, 'both-eras.mjs reject');
    const first = await open(server);
    expect(first).toMatchObject({
      era: 'modern',
      protocolVersion: '2026-07-28',
      serverInfo: { name: 'both-eras' },
      instructions: 'Be kind.',
    });
    await first.close();
    const second = await open(server, { prior: JSON.parse(JSON.stringify(first.verdict)) });
    expect(second.era).toBe('modern');
    expect(second.verdict).toEqual(first.verdict);
    expect(textOf(await second.request('tools/call', { name: 'echo', arguments: { value: 'hi' } }))).toBe(
      'hi',
    );
    await second.close();
  });

  it('hears of changed tools in the new era', async () => {
    const connection = await open(aServer(data.path, 'both-eras.mjs reject'));
    let changes = 0;
    connection.onListChanged = (what) => (changes += what === 'tools' ? 1 : 0);
    await eventually(async () => {
      await connection.request('tools/call', { name: 'grow' }).catch(() => undefined);
      return changes > 0;
    });
    expect((await connection.listTools()).map((tool) => tool.name)).toContain('grown');
    await connection.close();
  });

  it('gives a server that ends at the probe a second life without it', async () => {
    const connection = await open(aServer(data.path, 'misbehaving.mjs exit-at-probe'));
    expect(connection.era).toBe('legacy');
    await connection.close();
  });

  it('probes again where the verdict is older than a day', async () => {
    const connection = await open(aServer(data.path, 'both-eras.mjs reject'), {
      prior: { era: 'legacy', at: '2026-01-01T00:00:00.000Z' },
    });
    expect(connection.era).toBe('modern');
    await connection.close();
  });
});
