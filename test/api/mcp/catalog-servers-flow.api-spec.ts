import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { closeClients, connect, clientKinds } from '../gateway/mcp-clients.js';
import { grant, revoke } from '../gateway/mcp-setting.js';
import { asAgent } from '../../support/callers.js';
import type { Caller } from '../../support/caller.js';
import { useService } from '../../support/service.js';
import { aServer, verify, type Installed } from './servers.js';

// Flow 1 of the product with real servers of the shipped catalogue from the npm registry: `filesystem` works in a folder
// of this host, `memory` has a process and a folder per agent, and all agents share `sequential-thinking`.
const service = useService();
const hostFolder = mkdtempSync(join(tmpdir(), 'awp-host-folder-'));
afterAll(() => rmSync(hostFolder, { recursive: true, force: true }));
afterEach(closeClients);

const ENTRIES = {
  filesystem: { envValues: { ALLOWED_DIRECTORY: hostFolder } },
  memory: {},
  'sequential-thinking': {},
};
type Entry = keyof typeof ENTRIES;

/** Installs with the real package managers, as the flow of installed servers does in every run. */
const inFull = process.env['TEST_SIZE'] === 'full' ? describe : describe.skip;

inFull('three servers of the shipped catalogue', () => {
  const servers = {} as Record<Entry, Installed>;
  let agents: Caller[];
  const tool = (entry: Entry, name: string) => `${servers[entry].slug}__${name}`;

  beforeAll(async () => {
    const names = Object.keys(ENTRIES) as Entry[];
    await Promise.all(
      names.map(async (name) => {
        servers[name] = await aServer(service.owner, name, ENTRIES[name]);
      }),
    );
    agents = [await asAgent(service), await asAgent(service)];
  }, 240_000);

  it('are offered and verified, and no agent can use them before they are granted', async () => {
    for (const [id, server] of Object.entries(servers)) {
      const { body } = await service.owner.get<{ installable: boolean }>(`/api/mcp/catalog/${id}`);
      expect(body.installable).toBe(true);
      expect((await verify(service.owner, server)).body).toMatchObject({ status: 'ok', phase: 'done' });
    }
    const names = await (await connect(agents[0]!, clientKinds[0])).toolNames();
    expect(names.filter((name) => !name.startsWith('platform__'))).toEqual([]);
  });

  it('work for an agent as soon as they are granted, one of them in the configured folder of this host', async () => {
    for (const agent of agents)
      for (const server of Object.values(servers)) await grant(service, server, agent);
    writeFileSync(join(hostFolder, 'brief.txt'), 'what the agent shall read');
    const client = await connect(agents[0]!, clientKinds[1]);
    const read = await client.call(tool('filesystem', 'read_text_file'), {
      path: join(hostFolder, 'brief.txt'),
    });
    expect(read.text).toBe('what the agent shall read');
    const answer = { path: join(hostFolder, 'answer.txt'), content: 'done' };
    expect((await client.call(tool('filesystem', 'write_file'), answer)).isError).toBeFalsy();
    expect(readFileSync(answer.path, 'utf8')).toBe('done');
    const outside = { path: join(service.dataDir, 'keyring.json') };
    expect((await client.call(tool('filesystem', 'read_text_file'), outside)).isError).toBe(true);
    const thought = { thought: 'so', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
    expect(
      (await client.call(tool('sequential-thinking', 'sequentialthinking'), thought)).isError,
    ).toBeFalsy();
  });

  it('keep the data of two agents apart if each agent has its own process', async () => {
    const [first, second] = [
      await connect(agents[0]!, clientKinds[0]),
      await connect(agents[1]!, clientKinds[1]),
    ];
    const entities = [{ name: 'first-agent', entityType: 'agent', observations: ['only mine'] }];
    await first.call(tool('memory', 'create_entities'), { entities });
    expect((await first.call(tool('memory', 'read_graph'))).text).toContain('only mine');
    expect((await second.call(tool('memory', 'read_graph'))).text).not.toContain('only mine');
    const folders = readdirSync(join(service.dataDir, 'mcp/servers', servers.memory.id, 'data'));
    expect(folders).toEqual(expect.arrayContaining(agents.map(({ id }) => id)));
  });

  it('disappear for an agent whose grant is revoked, and from this host when they are removed', async () => {
    const client = await connect(agents[0]!, clientKinds[1]);
    const call = () => client.call(tool('filesystem', 'list_directory'), { path: hostFolder });
    expect((await call()).text).toContain('brief.txt');
    await revoke(service, servers.filesystem, agents[0]!);
    await expect(call()).rejects.toMatchObject({ code: -32_602 });
    expect(await client.toolNames()).not.toContain(tool('filesystem', 'list_directory'));
    for (const { id } of Object.values(servers))
      expect((await service.owner.delete(`/api/mcp/installed/${id}`)).status).toBe(204);
    expect(readdirSync(join(service.dataDir, 'mcp/servers'))).toEqual([]);
    expect(readdirSync(hostFolder).toSorted()).toEqual(['answer.txt', 'brief.txt']);
  });
});
