import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import { startService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { grant, installed, type Installed } from './mcp-setting.js';
import { modern, post, session } from './wire-call.js';

const catalog = new LocalCatalog().stdio('polite', ['misbehaving.mjs', 'polite']);
let service: Service;
let agent: Caller;
let server: Installed;
beforeAll(async () => {
  service = await startService({ ownProcess: true, settings: { CATALOG_DIRS: catalog.folder } });
  agent = await asAgent(service);
  server = await installed(service, 'polite');
  await grant(service, server, agent);
});
afterAll(async () => {
  await service?.remove();
  catalog.remove();
});

const samePort = () => ({ PORT: new URL(service.baseUrl).port });
const callsInFlight = async () =>
  Number(/^awp_mcp_calls_in_flight (\d+)$/m.exec((await service.owner.get('/metrics')).text)?.[1]);
const RESTARTING = 'the service is restarting; the call may have been done; check before repeating it';

type Call = (name: string, args?: Record<string, unknown>) => Promise<unknown>;

/** Both official clients in the mode in which they come, which is the old era. */
const clients: (() => Promise<Call>)[] = [
  async () => {
    const client = new OldClient({ name: 'test', version: '1' });
    await client.connect(new OldTransport(endpoint(), withKey()));
    return (name, args = {}) => client.callTool({ name, arguments: args });
  },
  async () => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(endpoint(), withKey()));
    return (name, args = {}) => client.callTool({ name, arguments: args });
  },
];
const endpoint = () => new URL(`${service.baseUrl}/mcp`);
const withKey = () => ({ requestInit: { headers: { authorization: `Bearer ${agent.key}` } } });

describe('a stop of the service', () => {
  const waitForever = () => ({ name: `${server.slug}__wait`, arguments: { ms: 60_000 } });
  const restarting = { isError: true, content: [{ type: 'text', text: RESTARTING }] };

  it('answers every open tool call of both eras, and the sessions continue after the next start', async () => {
    const opened = await openAll();
    const idle = await openAll();
    const newcomer = await asAgent(service);
    const { id: sessionOfNewcomer } = await session(newcomer);
    const { id, request } = await session(agent);
    const echo = { name: `${server.slug}__echo`, arguments: {} };
    await request('tools/call', echo);
    const withProgress = { ...waitForever(), _meta: { progressToken: 'p' } };
    const batch = [{ jsonrpc: '2.0', id: 9, method: 'tools/call', params: waitForever() }];
    const calls = [
      request('tools/call', waitForever()),
      request('tools/call', withProgress),
      modern(agent, 'tools/call', waitForever()),
      modern(agent, 'tools/call', withProgress),
      post(agent, batch, { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' }),
    ];
    const callsOfClients = opened.map((call) => call(waitForever().name, waitForever().arguments));
    await until(async () => (await callsInFlight()) === calls.length + callsOfClients.length);
    const port = samePort();
    const ended = service.stop();
    for (const call of calls)
      expect(await call).toMatchObject({ status: 200, message: { result: restarting } });
    for (const call of callsOfClients) expect(await call).toMatchObject(restarting);
    expect(await ended).toMatchObject({ code: 0 });
    await service.start(port);
    for (const call of idle) expect(await call(`${server.slug}__echo`)).not.toHaveProperty('isError');
    await allWork(opened);
    const headers = { accept: 'text/event-stream', 'mcp-session-id': sessionOfNewcomer };
    const stream = await newcomer.open('GET', '/mcp', { headers });
    expect(stream.statusCode).toBe(200);
    const [first] = (await stream.body.take(1).toArray()) as Buffer[];
    expect(String(first)).toContain('notifications/tools/list_changed');
  });
});

describe('the clients SDK 1.x and 2.x, the latter in its default mode', () => {
  it('continue their sessions after the service was killed in the middle of a call', async () => {
    const opened = await openAll();
    const waiting = opened.map((call) =>
      call(`${server.slug}__wait`, { ms: 60_000 }).catch((error: unknown) => error),
    );
    await until(async () => (await callsInFlight()) === waiting.length);
    const port = samePort();
    await service.kill();
    await service.start(port);
    // The error comes from outside of the test's realm, so it is not an instance of the test's Error.
    for (const failed of waiting)
      expect(await failed).toMatchObject({ message: expect.any(String), stack: expect.any(String) });
    await allWork(opened);
  });
});

const openAll = () => Promise.all(clients.map((open) => open()));

async function allWork(opened: Call[]): Promise<void> {
  for (const call of opened) {
    const echo = () => call(`${server.slug}__echo`).catch(() => null);
    expect(await until(echo)).not.toHaveProperty('isError');
  }
}

describe('a session', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const statusOf = async (caller: Caller, id: string) =>
    (await post(caller, ping, { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' })).status;

  it('is served by another process, and only for its own agent', async () => {
    const other = await service.second({}, { ownProcess: false });
    const { id } = await session(agent);
    expect(await statusOf(agent.at(other), id)).toBe(200);
    const stranger = await asAgent(service);
    expect(await statusOf(stranger.at(other), id)).toBe(404);
    expect(await statusOf(agent.at(other), `${id.slice(0, -1)}_`)).toBe(404);
  });
});
