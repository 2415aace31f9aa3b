import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { McpConnection } from '../../../src/mcp/processes/connection/mcp-connection.js';
import { openConnection } from '../../../src/mcp/processes/connection/open-connection.js';
import { aDataDir, aServer } from '../mcp/processes/fake-servers.js';

// The service calls stdio servers of the old era without the SDK's client. Over the whole conformance fixture both must
// give the same results, errors and progress.
const FIXTURE = resolve(import.meta.dirname, '../../conformance/fixture-stdio.mjs');
const data = aDataDir();
let ours: McpConnection;
const sdk = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'legacy' } });

beforeAll(async () => {
  const server = { ...aServer(data.path, ''), args: [FIXTURE], cwd: resolve(FIXTURE, '..') };
  const options = { sandbox: 'process-group' as const, serviceDataDir: data.path, startTimeoutMs: 30_000 };
  ours = await openConnection({ ...server, prior: { era: 'legacy', at: new Date().toISOString() } }, options);
  await sdk.connect(new StdioClientTransport({ command: process.execPath, args: [FIXTURE] }));
});
afterAll(async () => {
  await Promise.all([ours.close(), sdk.close()]);
  data.drop();
});

interface Outcome {
  result?: unknown;
  error?: { code: unknown; message: string };
  progress: unknown[];
}

async function outcomeOf(
  call: (onProgress: (progress: unknown) => void) => Promise<unknown>,
): Promise<Outcome> {
  const progress: unknown[] = [];
  try {
    return { result: await call((notice) => void progress.push(notice)), progress };
  } catch (error) {
    const { code, message } = error as Error & { code?: unknown };
    return { error: { code, message }, progress };
  }
}

it('the wire client gives the same result, error and progress as the SDK for every tool of the fixture', async () => {
  const { tools } = await sdk.listTools();
  expect(tools.length).toBeGreaterThan(8);
  expect(((await ours.listTools()) as typeof tools).map(({ name }) => name)).toEqual(
    tools.map(({ name }) => name),
  );
  // Our client declares that it answers forms, and the SDK's here does not.
  const names = tools
    .map(({ name }) => name)
    .filter((name) => !/^test_(elicitation|input_required)/.test(name));
  for (const name of [...names, 'no_such_tool', '']) {
    const params = { name, arguments: {} };
    const given = await outcomeOf((onProgress) => ours.request('tools/call', params, { onProgress }));
    const expected = await outcomeOf((onprogress) => sdk.callTool(params, { onprogress }));
    expect({ name, ...given }).toEqual({ name, ...expected });
  }
});

it('the wire client gives the same result or error as the SDK for every other request', async () => {
  const requests: [string, Record<string, unknown>][] = [
    ['prompts/list', {}],
    ['prompts/get', { name: 'test_simple_prompt' }],
    ['prompts/get', { name: 'no_such_prompt' }],
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['resources/read', { uri: 'test://static-text' }],
    ['resources/read', { uri: 'test://nothing' }],
    ['no/such/method', {}],
  ];
  const anything = {
    '~standard': { version: 1 as const, vendor: 'test', validate: (value: unknown) => ({ value }) },
  };
  for (const [method, params] of requests) {
    const given = await outcomeOf(() => ours.request(method, params));
    const expected = await outcomeOf(() => sdk.request({ method, params }, anything));
    expect({ method, ...given }).toEqual({ method, ...expected });
  }
});
