import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import { startService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { clientKinds, closeClients, connect } from './mcp-clients.js';
import { grant, installed, type Installed } from './mcp-setting.js';
import { modern, post, session } from './wire-call.js';

const catalog = new LocalCatalog().stdio('polite', ['misbehaving.mjs', 'polite']);
let service: Service;
let agent: Caller;
let server: Installed;
beforeAll(async () => {
  service = await startService({ settings: { CATALOG_DIRS: catalog.folder } });
  agent = await asAgent(service);
  server = await installed(service, 'polite');
  await grant(service, server, agent);
});
afterAll(async () => {
  await closeClients();
  await service?.remove();
  catalog.remove();
});

const samePort = () => ({ PORT: new URL(service.baseUrl).port });
const restart = async (how: 'stop' | 'kill') => {
  const port = samePort();
  await service[how]();
  await service.start(port);
};
const callsInFlight = async () =>
  Number(/^awp_mcp_calls_in_flight (\d+)$/m.exec((await service.owner.get('/metrics')).text)?.[1]);
const RESTARTING = 'the service is restarting; the call may have been done; check before repeating it';

type Call = (name: string, args?: Record<string, unknown>) => Promise<unknown>;

/** Both official clients in the mode in which they come, which is the old era. */
const clients: Record<string, () => Promise<Call>> = {
  'SDK 1.x': async () => {
    const client = new OldClient({ name: 'test', version: '1' });
    await client.connect(new OldTransport(endpoint(), withKey()));
    return (name, args = {}) => client.callTool({ name, arguments: args });
  },
  'client 2.x in its default mode': async () => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(endpoint(), withKey()));
    return (name, args = {}) => client.callTool({ name, arguments: args });
  },
};
const endpoint = () => new URL(`${service.baseUrl}/mcp`);
const withKey = () => ({ requestInit: { headers: { authorization: `Bearer ${agent.key}` } } });

describe('a stop of the service', () => {
  const waitForever = () => ({ name: `${server.slug}__wait`, arguments: { ms: 60_000 } });

  it('answers every open tool call of both eras, with and without progress, alone and in a batch', async () => {
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
    await until(async () => (await callsInFlight()) === calls.length);
    const port = samePort();
    const ended = service.stop();
    for (const call of calls)
      expect(await call).toMatchObject({
        status: 200,
        message: { result: { isError: true, content: [{ type: 'text', text: RESTARTING }] } },
      });
    expect(await ended).toMatchObject({ code: 0 });
    await service.start(port);
  });
});

describe.each(Object.entries(clients))('%s', (_, open) => {
  const echo = () => `${server.slug}__echo`;
  const works = async (call: Call) =>
    expect(await until(() => call(echo()).catch(() => null))).not.toHaveProperty('isError');

  it('continues its session after a restart between two calls', async () => {
    const call = await open();
    await restart('stop');
    expect(await call(echo())).not.toHaveProperty('isError');
  });

  it('continues its session after a restart in the middle of a call', async () => {
    const call = await open();
    await call(echo());
    const waiting = call(`${server.slug}__wait`, { ms: 60_000 });
    const port = samePort();
    await until(async () => (await callsInFlight()) === 1);
    await service.stop();
    expect(await waiting).toMatchObject({ isError: true, content: [{ text: RESTARTING }] });
    await service.start(port);
    await works(call);
  });

  it('continues its session after the service was killed', async () => {
    const call = await open();
    const waiting = call(`${server.slug}__wait`, { ms: 60_000 }).catch((error: unknown) => error);
    await until(async () => (await callsInFlight()) === 1);
    await restart('kill');
    // The error comes from outside of the test's realm, so it is not an instance of the test's Error.
    expect(await waiting).toMatchObject({ message: expect.any(String), stack: expect.any(String) });
    await works(call);
  });
});

describe('a session', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const statusOf = async (caller: Caller, id: string) =>
    (await post(caller, ping, { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' })).status;

  it('is served by another process, and only for its own agent', async () => {
    const other = await service.second();
    const { id } = await session(agent);
    expect(await statusOf(agent.at(other), id)).toBe(200);
    const stranger = await asAgent(service);
    expect(await statusOf(stranger.at(other), id)).toBe(404);
    expect(await statusOf(agent.at(other), `${id.slice(0, -1)}_`)).toBe(404);
  });

  it('gets notifications again over a stream that it opens after a restart', async () => {
    const newcomer = await asAgent(service);
    const { id } = await session(newcomer);
    await restart('stop');
    const headers = { accept: 'text/event-stream', 'mcp-session-id': id };
    const stream = await newcomer.open('GET', '/mcp', { headers });
    expect(stream.statusCode).toBe(200);
    const [first] = (await stream.body.take(1).toArray()) as Buffer[];
    expect(String(first)).toContain('notifications/tools/list_changed');
  });

  it('works for an agent that has 70, each with its stream open', async () => {
    const busy = await asAgent(service);
    await grant(service, server, busy);
    const open = [];
    for (let n = 0; n < 70; n += 1) open.push(await connect(busy, clientKinds[0]));
    for (const client of open) expect((await client.call(`${server.slug}__echo`)).isError).toBeUndefined();
  });
});
