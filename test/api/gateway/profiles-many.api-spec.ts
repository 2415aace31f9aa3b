import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createdBy, someName } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { installed, type Installed } from './mcp-setting.js';
import { modern, subscribe } from './wire-call.js';

// Profiles that give all their servers to all agents, which listen for changes of their tools.
const inFull = process.env['TEST_SIZE'] === 'full';
const SIZE = inFull ? { agents: 500, servers: 50, profiles: 10 } : { agents: 12, servers: 10, profiles: 5 };
const SECONDS = 300;

const catalog = new LocalCatalog().stdio('polite', ['misbehaving.mjs', 'polite']);
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(() => catalog.remove());

/** An agent with its open stream, and how many notifications have come. */
interface Listener {
  agent: Caller;
  changes: number;
  close: () => void;
}

let server: Installed;
let servers: string[];
let listeners: Listener[];
let profiles: { id: string; entries: { serverId: string }[] }[];
const opened: Listener[] = [];
afterAll(() => opened.forEach(({ close }) => close()));

/** Copies of one server, with the same tools. */
async function copies(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await service.sql(
    `INSERT INTO installed_servers (id, name, slug, catalog_id, entry, status, tools_listed_at)
     SELECT copy.id, 'copy ' || copy.id, 'c' || right(copy.id::text, 12), catalog_id, entry, 'enabled', now()
     FROM installed_servers s, unnest($2::uuid[]) AS copy (id) WHERE s.id = $1`,
    [server.id, ids],
  );
  await service.sql(
    `INSERT INTO server_tools (server_id, name, definition, hash, approved_hash)
     SELECT copy.id, t.name, t.definition, t.hash, t.approved_hash
     FROM server_tools t, unnest($2::uuid[]) AS copy (id) WHERE t.server_id = $1`,
    [server.id, ids],
  );
  return ids;
}

async function listening(agent: Caller): Promise<Listener> {
  const { body } = await subscribe(agent);
  const listener: Listener = { agent, changes: 0, close: () => void body.destroy() };
  body.on('error', () => undefined);
  body.on('data', (chunk: Buffer) => {
    listener.changes += chunk.toString().split('notifications/tools/list_changed').length - 1;
  });
  opened.push(listener);
  return listener;
}

const toolNames = async (agent: Caller): Promise<string[]> => {
  const { result } = (await modern(agent, 'tools/list')).message;
  return (result!.tools as unknown as { name: string }[]).map(({ name }) => name);
};
const slugOf = (id: string) => `c${id.slice(-12)}`;

beforeAll(async () => {
  server = await installed(service, 'polite');
  servers = await copies(SIZE.servers);
  const agents: Caller[] = [];
  for (let from = 0; from < SIZE.agents; from += 20)
    agents.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(20, SIZE.agents - from) }, () => asAgent(service)),
      )),
    );
  const each = SIZE.servers / SIZE.profiles;
  profiles = [];
  for (let n = 0; n < SIZE.profiles; n += 1)
    profiles.push(
      await createdBy(service.owner, '/api/mcp/profiles', {
        name: someName('many'),
        entries: servers.slice(n * each, (n + 1) * each).map((serverId) => ({ serverId })),
        agentIds: agents.map(({ id }) => id),
      }),
    );
  listeners = [];
  for (const agent of agents) listeners.push(await listening(agent));
}, SECONDS * 1_000);

describe(`${SIZE.agents} agents that have ${SIZE.servers} servers by ${SIZE.profiles} profiles`, () => {
  it(
    'are all notified of one change, which holds for the next call',
    async () => {
      const [profile] = profiles;
      const [gone, ...kept] = profile!.entries;
      const before = listeners.map(({ changes }) => changes);
      const begun = performance.now();
      await service.owner.put(`/api/mcp/profiles/${profile!.id}`, { entries: kept });
      const committed = performance.now();
      await until(() => listeners.every(({ changes }, at) => changes > before[at]!), SECONDS);
      console.log(
        `${SIZE.agents} agents: the change took ${Math.round(committed - begun)} ms, all were notified ${Math.round(performance.now() - committed)} ms later`,
      );
      for (const { agent } of [listeners[0]!, listeners.at(-1)!]) {
        const names = await toolNames(agent);
        expect(names).not.toContain(`${slugOf(gone!.serverId)}__echo`);
        expect(names.filter((name) => name.endsWith('__echo'))).toHaveLength(SIZE.servers - 1);
      }
    },
    SECONDS * 1_000,
  );

  it('are notified of a refusal only where it is theirs', async () => {
    const [refused, other] = listeners as [Listener, Listener];
    const before = [refused.changes, other.changes];
    const serverId = servers.at(-1)!;
    await service.owner.put(`/api/mcp/installed/${serverId}/access`, {
      entries: [{ agentId: refused.agent.id, granted: false }],
    });
    await until(() => refused.changes > before[0]!, SECONDS);
    expect(other.changes).toBe(before[1]);
    expect(await toolNames(refused.agent)).not.toContain(`${slugOf(serverId)}__echo`);
    expect(await toolNames(other.agent)).toContain(`${slugOf(serverId)}__echo`);
  });

  (inFull ? it : it.skip)(
    'take the time of grants for a list of tools and a heartbeat',
    async () => {
      const agent = await asAgent(service);
      const requests = {
        'tools/list': () => modern(agent, 'tools/list'),
        heartbeat: () => agent.post('/api/agents/me/heartbeat', { capacity: 0 }),
      };
      const times = async () =>
        Object.fromEntries(
          await Promise.all(Object.entries(requests).map(async ([name, ask]) => [name, await median(ask)])),
        ) as Record<string, number>;
      const put = (fields: object) =>
        service.owner.put(`/api/agents/${agent.id}/access`, {
          entries: servers.map((serverId) => ({ serverId, ...fields })),
        });
      await put({ granted: true });
      const byGrants = await times();
      await put({ granted: false, refused: false });
      for (const { id } of profiles)
        await service.owner.put(`/api/mcp/profiles/${id}`, {
          agentIds: [agent.id, ...listeners.map((one) => one.agent.id)],
        });
      const byProfiles = await times();
      console.log('Medians of 30 in ms', { byGrants, byProfiles });
      expect(await toolNames(agent)).toHaveLength((await toolNames(listeners[1]!.agent)).length);
    },
    SECONDS * 1_000,
  );
});

async function median(ask: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 30; n += 1) {
    const begun = performance.now();
    await ask();
    times.push(performance.now() - begun);
  }
  return Math.round(times.toSorted((a, b) => a - b)[15]! * 10) / 10;
}
