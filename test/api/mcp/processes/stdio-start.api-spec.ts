import { afterAll, describe, expect, it } from '@jest/globals';
import type { McpConnection, OpenOptions } from '../../../../src/mcp/processes/connection/mcp-connection.js';
import type { StartPhase } from '../../../../src/mcp/processes/connection/mcp-errors.js';
import { openConnection } from '../../../../src/mcp/processes/connection/open-connection.js';
import type { ServerDescription } from '../../../../src/mcp/processes/server-description-and-limits.js';
import { until } from '../../../support/until.js';
import { aDataDir, aServer, textOf } from './fake-servers.js';

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
  it('reports whether the command or the folder is missing', async () => {
    const noCommand = open(aServer(data.path, 'misbehaving.mjs polite', { command: '/nowhere/node' }));
    await expect(noCommand).rejects.toMatchObject({
      phase: 'spawn',
      message: expect.stringContaining('program that runs the server does not exist'),
    });
    const noFolder = open(aServer(data.path, 'misbehaving.mjs polite', { cwd: '/nowhere' }));
    await expect(noFolder).rejects.toMatchObject({
      phase: 'spawn',
      message: expect.stringContaining('folder that the server runs in does not exist'),
    });
  });

  it('reports a value that is too large for a process', async () => {
    const start = open(aServer(data.path, 'misbehaving.mjs polite', { env: { BIG: 'x'.repeat(200_000) } }));
    await expect(start).rejects.toMatchObject({
      phase: 'spawn',
      message: expect.stringContaining('too large'),
    });
  });

  it('reports its phases, and the last lines of a server that failed to start', async () => {
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

  it('initializes a server of the new era, and again without a probe by the stored verdict', async () => {
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

  it('reports changed tools in the new era', async () => {
    const connection = await open(aServer(data.path, 'both-eras.mjs reject'));
    let changes = 0;
    connection.onListChanged = (what) => (changes += what === 'tools' ? 1 : 0);
    await until(async () => {
      await connection.request('tools/call', { name: 'grow' }).catch(() => undefined);
      return changes > 0;
    });
    expect(await connection.listTools()).toContainEqual(expect.objectContaining({ name: 'grown' }));
    await connection.close();
  });

  it('starts a server that ends at the probe again without the probe', async () => {
    const connection = await open(aServer(data.path, 'misbehaving.mjs exit-at-probe'));
    expect(connection.era).toBe('legacy');
    await connection.close();
  });

  it('starts a server that leaves the probe unanswered again without it, as the calls of agents do', async () => {
    const sent = async (mode: string): Promise<string[]> => {
      const connection = await open(aServer(data.path, `misbehaving.mjs ${mode}`));
      const methods = await connection.request('tools/call', { name: 'methods' });
      await connection.close();
      return JSON.parse(textOf(methods));
    };
    const greeting = ['initialize', 'notifications/initialized', 'tools/call'];
    expect(await sent('ignores-probe')).toEqual(greeting);
    // An answer that is an error is one.
    expect(await sent('tools-only')).toEqual(['server/discover', ...greeting]);
  });

  it('greets a server whose first line begins with escape sequences, with a probe and without', async () => {
    const at = new Date().toISOString();
    for (const prior of [undefined, { era: 'legacy' as const, at }]) {
      const connection = await open(aServer(data.path, 'misbehaving.mjs leading-bytes', prior && { prior }));
      expect(textOf(await connection.request('tools/call', { name: 'echo', arguments: { a: 1 } }))).toBe(
        '{"a":1}',
      );
      await connection.close();
    }
  });

  it('probes again when the verdict is older than one day', async () => {
    const connection = await open(aServer(data.path, 'both-eras.mjs reject'), {
      prior: { era: 'legacy', at: '2026-01-01T00:00:00.000Z' },
    });
    expect(connection.era).toBe('modern');
    await connection.close();
  });
});
