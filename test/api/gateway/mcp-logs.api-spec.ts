import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LoggingMessageNotification } from '@modelcontextprotocol/sdk/types.js';
import { canary } from '../../support/canary.js';
import type { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { closeClients, connectTasker, logsOf } from './mcp-clients.js';
import { grant, installed, type Installed, revoke } from './mcp-setting.js';
import { session } from './wire-call.js';

const variables = [{ name: 'KEY', isSecret: true }];
const says = ['misbehaving.mjs', 'says-elsewhere'];
const catalog = new LocalCatalog()
  .stdio('own', says, { variables, manifest: { sharing: 'agent' } })
  .stdio('shared', says, { variables });
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(async () => {
  await closeClients();
  catalog.remove();
});

const secret = canary('a key that is logged');
let own: Installed;
let shared: Installed;
let agent: Caller;
beforeAll(async () => {
  own = await installed(service, 'own', { envValues: { KEY: secret } });
  shared = await installed(service, 'shared', { envValues: { KEY: secret } });
  agent = await asAgent(service);
  for (const server of [own, shared]) await grant(service, server, agent);
});

/** A client of this agent that asks for a level, with what it was told and a way to make a server log. */
async function listener(caller: Caller, level: LoggingMessageNotification['params']['level'] | null) {
  const client = await connectTasker(caller);
  const told = logsOf(client);
  if (level) await client.setLoggingLevel(level);
  const log = (server: Installed, given: object) =>
    client.callTool({ name: `${server.slug}__log`, arguments: given as Record<string, unknown> });
  return { told, log, client };
}

describe('what a server logs', () => {
  it('comes to the sessions of its own agent that set a level, masked, under the name of the server', async () => {
    const { told, log } = await listener(agent, 'warning');
    const silent = await listener(agent, null);
    const severe = await listener(agent, 'error');
    const other = await asAgent(service);
    await grant(service, own, other);
    const stranger = await listener(other, 'debug');
    await log(own, { n: 1 });
    await until(() => told.length === 1);
    const data = { KEY: '[secret]', given: { n: 1 }, id: 1 };
    expect(told).toEqual([{ level: 'warning', logger: `${own.slug}: store`, data }]);
    expect([silent.told, severe.told, stranger.told]).toEqual([[], [], []]);
  });

  it('has the digits of its numbers', async () => {
    const { id, request } = await session(agent);
    const headers = { accept: 'text/event-stream', 'mcp-session-id': id };
    const { body } = await agent.open('GET', '/mcp', { headers });
    await request('logging/setLevel', { level: 'debug' });
    const digits = '1234567890123456789';
    await request('tools/call', { name: `${own.slug}__count`, arguments: { digits } });
    for await (const chunk of body) {
      const text = String(chunk);
      if (!text.includes('notifications/message')) continue;
      expect(text).toContain(`"data":${digits}}`);
      break;
    }
  });

  it('of a process that agents share stays with the service', async () => {
    const { told, log } = await listener(agent, 'debug');
    await log(shared, { n: 2 });
    await log(own, { n: 3 });
    await until(() => told.length > 0);
    expect(told).toMatchObject([{ data: { given: { n: 3 } } }]);
  });

  it('no longer comes to an agent that has lost the server', async () => {
    const loser = await asAgent(service);
    await grant(service, own, loser);
    const { told, log } = await listener(loser, 'debug');
    await log(own, { n: 4 });
    await until(() => told.length === 1);
    await revoke(service, own, loser);
    await expect(log(own, { n: 5 })).rejects.toThrow(/not granted to you/);
    expect(told).toHaveLength(1);
  });

  it('after a grant was taken away reaches no session, although the process still runs', async () => {
    const loser = await asAgent(service);
    await grant(service, own, loser);
    const { told, client } = await listener(loser, 'debug');
    await client.callTool({ name: `${own.slug}__tick`, arguments: {} });
    await until(() => told.length > 3);
    await revoke(service, own, loser);
    const revokedAt = Date.now();
    // A line that was on its way needs less than one that the server writes afterwards.
    const other = await listener(agent, 'debug');
    await other.log(own, { n: 6 });
    await until(() => other.told.length === 1);
    await client.ping();
    expect(told.filter(({ data }) => (data as { at: number }).at > revokedAt)).toEqual([]);
  });

  it('is cut where it is longer than a notification may be', async () => {
    const { told, log } = await listener(agent, 'info');
    await log(own, { long: 'x'.repeat(10_000) });
    await until(() => told.length === 1);
    expect(told[0]!.data).toEqual(expect.stringMatching(/^\{"KEY":"\[secret\]","given":\{"long":"x+$/));
    expect(String(told[0]!.data).length).toBeLessThanOrEqual(4_096);
  });
});

describe('logging/setLevel', () => {
  it('refuses a level that MCP does not have', async () => {
    const { request } = await session(agent);
    const { message } = await request('logging/setLevel', { level: 'loud' });
    expect(message.error).toMatchObject({
      code: -32_602,
      message: expect.stringContaining('debug, info, notice, warning'),
    });
  });
});
