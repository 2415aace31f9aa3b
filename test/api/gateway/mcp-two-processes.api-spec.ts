import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { fetch as undiciFetch } from '../../support/worker/undici.cjs';
import type { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import { hasNginx, Nginx } from '../../support/nginx.js';
import { startService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import { post } from './wire-call.js';

const behindNginx = hasNginx() ? describe : describe.skip;

behindNginx('MCP through nginx and two processes', () => {
  let services: [Service, Service];
  let nginx: Nginx;
  const open: { close: () => Promise<void> }[] = [];
  beforeAll(async () => {
    const first = await startService({ ownProcess: true, settings: { TRUSTED_PROXIES: '127.0.0.1' } });
    services = [first, await first.second()];
    nginx = await Nginx.before(...services);
  });
  afterAll(async () => {
    await Promise.all(open.map((client) => client.close().catch(() => undefined)));
    await nginx?.stop();
    await services?.[0].remove();
  });

  const anAgent = async () => (await asAgent(services[0])).at(nginx.in(services[0]));

  /** Begins a session of 2025-11-25 with the official client. */
  async function connectOld(agent: Caller): Promise<{ client: OldClient; sessionId: string }> {
    const client = new OldClient({ name: 'test', version: '1' });
    const transport = new OldTransport(new URL(`${agent.service.baseUrl}/mcp`), optionsOf(agent));
    await client.connect(transport);
    open.push(client);
    return { client, sessionId: transport.sessionId! };
  }

  const answersAt = async (agent: Caller, service: Service, sessionId: string) => {
    const frame = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const headers = { 'mcp-session-id': sessionId, 'mcp-protocol-version': '2025-11-25' };
    return (await post(agent.at(service), frame, headers)).status;
  };

  it('continues a session in the other process when its own is killed, and in either while both live', async () => {
    const clients: OldClient[] = [];
    // The hash of the key says which process a session leads to: of ten, both have some.
    for (let n = 0; n < 10; n += 1) {
      const agent = await anAgent();
      const { client, sessionId } = await connectOld(agent);
      const answers = await Promise.all(services.map((service) => answersAt(agent, service, sessionId)));
      expect(answers).toEqual([200, 200]);
      clients.push(client);
    }
    await services[1].kill();
    // One request may still meet the connection of the dead process, which nginx answers with 502.
    for (const client of clients)
      await until(async () => (await client.listTools().catch(() => null))?.tools.length);
    await services[1].start({ PORT: new URL(services[1].baseUrl).port });
  });

  it('a client of 2026-07-28 continues on the other process without a new session', async () => {
    const agent = await anAgent();
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${agent.service.baseUrl}/mcp`), optionsOf(agent)),
    );
    open.push(client);
    const list = async () => (await client.listTools(undefined, { cacheMode: 'refresh' })).tools;
    const before = await list();
    for (const service of services) {
      await service.kill();
      expect(await until(() => list().catch(() => null))).toEqual(before);
      await service.start({ PORT: new URL(service.baseUrl).port });
      // Nginx does not try a process again for two seconds after it found it dead: until then there may be none.
      expect(await until(() => list().catch(() => null))).toEqual(before);
    }
  });
});

/** The certificate is the test's own: the client's fetch takes it as the callers do. */
function optionsOf({ key, service }: Caller) {
  const dispatcher = service.connections;
  const fetch = ((url: string, init: object) =>
    undiciFetch(url, { ...init, dispatcher })) as unknown as typeof globalThis.fetch;
  return { requestInit: { headers: { authorization: `Bearer ${key}` } }, fetch };
}
