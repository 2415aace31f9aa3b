import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createdBy, someName } from '../../support/builders.js';
import { asAgent } from '../../support/callers.js';
import type { Caller } from '../../support/caller.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { clientKinds, closeClients, connect, type AgentClient } from './mcp-clients.js';
import { grant, installed, revoke, type Installed } from './mcp-setting.js';
import { session, subscribe } from './wire-call.js';

const catalog = new LocalCatalog()
  .stdio('polite', ['misbehaving.mjs', 'polite'])
  .stdio('per-agent', ['misbehaving.mjs', 'polite'], { manifest: { sharing: 'agent' } })
  .stdio('silent', ['misbehaving.mjs', 'silent-at-start']);
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(() => catalog.remove());
afterEach(closeClients);

const halt = (halted: boolean) => service.owner.put('/api/agents/halt', { halted });

describe.each(clientKinds)('an agent that is connected with %s', (kind) => {
  let server: Installed;
  let agent: Caller;
  let client: AgentClient;
  let echo: string;
  beforeAll(async () => {
    server = await installed(service, 'polite');
    echo = `${server.slug}__echo`;
  });
  beforeEach(async () => {
    agent = await asAgent(service);
    client = await connect(agent, kind);
    // Both clients open their stream of notifications after they have connected.
    await client.tools();
  });
  const own = async () => (await client.toolNames()).filter((name) => !name.startsWith('platform__'));
  const notified = (changes: number) => until(() => client.changes >= changes);
  const unknown = { code: -32602 };

  it('gets a server that is granted during its session, and a notification', async () => {
    await expect(client.call(echo)).rejects.toMatchObject(unknown);
    await grantWhileListening();
    expect(await own()).toContain(echo);
    expect((await client.call(echo, { a: 1 })).text).toBe('{"a":1}');
  });

  it('loses a revoked server at once, and gets a notification', async () => {
    await grantWhileListening();
    const before = client.changes;
    await revoke(service, server, agent);
    await expect(client.call(echo)).rejects.toMatchObject(unknown);
    expect(await own()).toEqual([]);
    await notified(before + 1);
  });

  it('gets only the tools that a grant names', async () => {
    await grant(service, server, agent, ['count', 'pid']);
    expect(await own()).toEqual([`${server.slug}__pid`, `${server.slug}__count`]);
    await expect(client.call(echo)).rejects.toMatchObject(unknown);
    expect((await client.call(`${server.slug}__pid`)).isError).toBeUndefined();
  });

  it('gets no notification of the grants of another agent', async () => {
    const other = await asAgent(service);
    const others = await connect(other, kind);
    await others.tools();
    await grantUntilTold(other, others);
    expect(client.changes).toBe(0);
  });

  it('has only the tools of the platform while all agents are halted, and is notified when the halt ends', async () => {
    await grantWhileListening();
    const before = client.changes;
    await halt(true);
    try {
      expect(await own()).toEqual([]);
      expect(await client.call(echo)).toMatchObject({
        isError: true,
        text: expect.stringContaining('halted'),
      });
      await notified(before + 1);
    } finally {
      await halt(false);
    }
    await notified(before + 2);
    expect(await own()).toContain(echo);
  });

  it('has no tools while it is disabled', async () => {
    await grant(service, server, agent);
    await service.owner.put(`/api/agents/${agent.id}`, { disabled: true });
    expect(await own()).toEqual([]);
    expect(await client.call(echo)).toMatchObject({
      isError: true,
      text: expect.stringContaining('disabled'),
    });
  });

  it('reads why a granted server is disabled, and can use it again once it is enabled', async () => {
    await grant(service, server, agent);
    await service.owner.post(`/api/mcp/installed/${server.id}/disable`);
    expect(await own()).toEqual([]);
    expect(await client.call(echo)).toMatchObject({
      isError: true,
      text: expect.stringContaining('disabled by an admin'),
    });
    await service.owner.post(`/api/mcp/installed/${server.id}/enable`);
    expect(await own()).toContain(echo);
    expect((await client.call(echo)).isError).toBeUndefined();
  });

  it('can do nothing with a deleted key', async () => {
    await deleteKeys(agent);
    await expect(client.tools()).rejects.toThrow();
  });

  /** Repeats the grant until a notification arrives: one before the client has opened its stream is not sent. */
  async function grantUntilTold(to: Caller, listener: AgentClient): Promise<void> {
    await until(async () => {
      await grant(service, server, to);
      for (let look = 0; look < 50 && listener.changes === 0; look += 1) await sleep(20);
      if (listener.changes > 0) return true;
      await revoke(service, server, to);
      return false;
    });
  }

  async function grantWhileListening(): Promise<void> {
    await grantUntilTold(agent, client);
  }
});

describe('a stream of notifications', () => {
  it('of a session ends with the key that opened it', async () => {
    const agent = await asAgent(service);
    const { id } = await session(agent);
    const headers = { accept: 'text/event-stream', 'mcp-session-id': id };
    const stream = await agent.open('GET', '/mcp', { headers });
    expect(stream.statusCode).toBe(200);
    await deleteKeys(agent);
    expect(await endOf(stream.body)).toBe('ended');
  });

  it('of a subscription ends with the key that opened it', async () => {
    const agent = await asAgent(service);
    const stream = await subscribe(agent);
    await deleteKeys(agent);
    expect(await endOf(stream.body)).toBe('ended');
  });
});

describe('two processes of the service', () => {
  it('notify an agent that is connected to one of a grant that was made at the other', async () => {
    const other = await service.second();
    const server = await installed(service, 'polite');
    const agent = await asAgent(service);
    const client = await connect(agent, clientKinds[0]);
    await until(async () => {
      await grant(other, server, agent);
      for (let look = 0; look < 50 && client.changes === 0; look += 1) await sleep(20);
      if (client.changes === 0) await revoke(other, server, agent);
      return client.changes > 0;
    });
    expect(await client.toolNames()).toContain(`${server.slug}__echo`);
  });
});

describe('a turn', () => {
  it('returns the same tools as tools/list', async () => {
    const server = await installed(service, 'polite');
    const agent = await asAgent(service);
    await grant(service, server, agent, ['echo', 'pid']);
    const listed = await (await connect(agent, clientKinds[1])).tools();
    const turn = await agent.post<{ tools: Record<string, unknown>[] }>('/api/agents/me/turns', {});
    expect(
      turn.body.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    ).toEqual(listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })));
    expect(turn.body.tools.at(-1)).toMatchObject({ serverId: server.id, serverName: server.name });
    expect(turn.body.tools[0]).toMatchObject({ serverId: null, serverName: null });
  });
});

async function deleteKeys(agent: Caller): Promise<void> {
  const keys = await service.owner.get<{ id: string }[]>(`/api/agents/${agent.id}/keys`);
  for (const { id } of keys.body) await service.owner.delete(`/api/agents/${agent.id}/keys/${id}`);
}

/** Resolves when a stream ends in any way. The time limit of the test applies. */
async function endOf(body: AsyncIterable<unknown>): Promise<string> {
  try {
    for await (const _ of body);
  } catch {
    // The connection was cut off, which is an end too.
  }
  return 'ended';
}

describe('a server that was never verified', () => {
  it('is started and listed for the first agent that lists tools, and approved unchanged', async () => {
    const created = await service.owner.post<Installed>('/api/mcp/installed', {
      catalogId: 'polite',
      name: 'never verified',
    });
    const agent = await asAgent(service);
    await grant(service, created.body, agent);
    const client = await connect(agent, clientKinds[1]);
    // One list waits for two seconds, which a busy machine may need for the start.
    await until(async () => (await client.toolNames()).includes(`${created.body.slug}__echo`));
    const tools = await service.owner.get<{ state: string }[]>(`/api/mcp/installed/${created.body.id}/tools`);
    expect(tools.body.map(({ state }) => state)).toEqual(Array(5).fill('approved'));
  });

  it('is started once for all agents, and connected ones are notified when its tools are known', async () => {
    const server = await createdBy<Installed>(service.owner, '/api/mcp/installed', {
      catalogId: 'per-agent',
      name: someName('never verified'),
    });
    const agents = await Promise.all([1, 2, 3].map(() => asAgent(service)));
    const [listener, ...askers] = await Promise.all(agents.map((agent) => connect(agent, clientKinds[0])));
    // The client opens its stream of notifications after it has connected.
    await listener!.tools();
    for (const agent of agents) await grant(service, server, agent);
    await until(() => listener!.changes > 0);
    const toldOfGrant = listener!.changes;
    await Promise.all(askers.flatMap((client) => [client.toolNames(), client.toolNames()]));
    // Each agent would have a process of its own. Only the one of the first agent was started.
    const folders = readdirSync(join(service.dataDir, 'mcp/servers', server.id, 'data'));
    expect(folders).toHaveLength(1);
    await until(() => listener!.changes > toldOfGrant);
    for (const client of [listener!, ...askers])
      expect(await client.toolNames()).toContain(`${server.slug}__echo`);
  });

  it('and never responds hides no tools of other servers, and delays only one list', async () => {
    const silent = await service.owner.post<Installed>('/api/mcp/installed', { catalogId: 'silent' });
    const agent = await asAgent(service);
    const good = await installed(service, 'polite');
    for (const server of [silent.body, good]) await grant(service, server, agent);
    const client = await connect(agent, clientKinds[1]);
    expect(await client.toolNames()).toContain(`${good.slug}__echo`);
    expect(await client.toolNames()).toContain(`${good.slug}__echo`);
    expect((await client.call(`${good.slug}__echo`)).isError).toBeUndefined();
  });
});
