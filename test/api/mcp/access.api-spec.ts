import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anonymous, asAgent, asEditor } from '../../support/callers.js';
import type { Caller } from '../../support/caller.js';
import { useService } from '../../support/service.js';
import { LocalCatalog } from './local-catalog.js';
import { aServer, aVerifiedServer, grant, pathOf, type Installed } from './servers.js';

const unknown = '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06';
const catalog = new LocalCatalog().stdio('polite', ['misbehaving.mjs', 'polite']);
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(() => catalog.remove());

/** Installs a verified server with the tools echo, pid, environment, count and wait. */
let server: Installed;
beforeAll(async () => {
  server = await aVerifiedServer(service.owner, 'polite');
});

interface Row {
  agentId: string;
  agentName: string;
  serverId: string;
  serverName: string;
  granted: boolean;
  tools: string[] | null;
}
const ofServer = async (id: string) =>
  (await service.owner.get<Row[]>(`/api/mcp/installed/${id}/access`)).body;
const ofAgent = async (id: string) => (await service.owner.get<Row[]>(`/api/agents/${id}/access`)).body;
const setOfServer = (entries: unknown) => service.owner.put<Row[]>(`${pathOf(server)}/access`, { entries });
const setOfAgent = (agent: Caller, entries: unknown) =>
  service.owner.put<Row[]>(`/api/agents/${agent.id}/access`, { entries });
const rowOf = (rows: Row[], agent: Caller) => rows.find(({ agentId }) => agentId === agent.id);
const paths = (answer: { body: unknown }) =>
  (answer.body as { errors: { path: string }[] }).errors.map(({ path }) => path);

/** Returns the reasons why the agent may not use the tools of a server. */
async function reasons(agent: Caller, { id } = server): Promise<Record<string, string | null>> {
  const { body } = await service.owner.get<{ name: string; serverId: string; reason: string | null }[]>(
    `/api/agents/${agent.id}/tools`,
  );
  return Object.fromEntries(
    body.filter(({ serverId }) => serverId === id).map(({ name, reason }) => [name, reason]),
  );
}
const allBut = (reason: string | null, some: Record<string, string | null> = {}) => ({
  ...Object.fromEntries(['count', 'echo', 'environment', 'pid', 'wait'].map((name) => [name, reason])),
  ...some,
});

describe('PUT and GET access of a server', () => {
  it('grants a new server to no agent and lists every agent', async () => {
    const agents = [await asAgent(service), await asAgent(service)];
    const rows = await ofServer(server.id);
    for (const agent of agents)
      expect(rowOf(rows, agent)).toEqual({
        agentId: agent.id,
        agentName: agent.name,
        granted: false,
        refused: false,
        tools: null,
        ask: null,
        approverRole: 'Editor',
        credentialSet: 'default',
      });
    expect(await reasons(agents[0]!)).toEqual(allBut('not_granted'));
  });

  it('keeps the access of agents that the request does not name', async () => {
    const [first, second] = [await asAgent(service), await asAgent(service)];
    await setOfServer([
      { agentId: first.id, granted: true },
      { agentId: second.id, granted: true, tools: ['echo'] },
    ]);
    const { status, body } = await setOfServer([{ agentId: first.id, granted: false }]);
    expect([status, rowOf(body, first), rowOf(body, second)]).toMatchObject([
      200,
      { granted: false, tools: null },
      { granted: true, tools: ['echo'] },
    ]);
    expect(await ofServer(server.id)).toEqual(body);
    expect((await setOfServer([])).body).toEqual(body);
  });

  it('narrows a grant to tools, keeps the tools when they are absent, and grants all tools again with null', async () => {
    const agent = await asAgent(service);
    await setOfServer([{ agentId: agent.id, granted: true, tools: ['echo', 'pid'] }]);
    expect(await reasons(agent)).toEqual(allBut('tool_not_granted', { echo: null, pid: null }));
    await setOfServer([{ agentId: agent.id, granted: true }]);
    expect(rowOf(await ofServer(server.id), agent)?.tools).toEqual(['echo', 'pid']);
    await setOfServer([{ agentId: agent.id, granted: true, tools: [] }]);
    expect(await reasons(agent)).toEqual(allBut('tool_not_granted'));
    await setOfServer([{ agentId: agent.id, granted: true, tools: null }]);
    expect(await reasons(agent)).toEqual(allBut(null));
  });

  it('applies all entries or none and reports every error at its row', async () => {
    const [known, retired] = [await asAgent(service), await asAgent(service)];
    await service.owner.delete(`/api/agents/${retired.id}`);
    const before = await ofServer(server.id);
    const answer = await setOfServer([
      { agentId: known.id, granted: true },
      { agentId: unknown, granted: true },
      { agentId: 'nonsense', granted: false },
      { agentId: retired.id, granted: true },
      { agentId: known.id, granted: false },
      { agentId: (await asAgent(service)).id, granted: true, tools: ['echo', 'nope'] },
    ]);
    expect(answer.status).toBe(400);
    expect(paths(answer)).toEqual(
      [1, 2, 3, 4].map((row) => `entries[${row}].agentId`).concat('entries[5].tools[1]'),
    );
    expect(await ofServer(server.id)).toEqual([...before, expect.objectContaining({ granted: false })]);
  });

  it.each([
    [{}, 'entries'],
    [{ entries: [{ agentId: unknown }] }, 'entries[0].granted'],
    [{ entries: [{ agentId: unknown, granted: 'yes' }] }, 'entries[0].granted'],
    [{ entries: [{ agentId: unknown, granted: true, tool: 'x' }] }, 'entries[0].tool'],
    [{ entries: [{ agentId: unknown, granted: true, tools: 'echo' }] }, 'entries[0].tools'],
  ])('rejects %j', async (body, path) => {
    const answer = await service.owner.put(`${pathOf(server)}/access`, body);
    expect([answer.status, paths(answer)]).toEqual([400, [path]]);
  });

  it('accepts any tool name before the first listing of the server', async () => {
    const fresh = await aServer(service.owner, 'polite');
    const agent = await asAgent(service);
    expect((await grant(service.owner, fresh, agent, { tools: ['whatever'] })).status).toBe(200);
  });

  it('records the change of access in the journal', async () => {
    const agent = await asAgent(service);
    await grant(service.owner, server, agent, { tools: ['echo'] });
    const [row] = await service.sql(
      `SELECT data FROM journal WHERE type = 'mcp.access.changed' ORDER BY position DESC LIMIT 1`,
    );
    expect(row).toEqual({ data: { entries: [{ agentId: agent.id, granted: true, tools: ['echo'] }] } });
  });

  it('removes the access of an agent that is retired, also in a race', async () => {
    const agents = await Promise.all(Array.from({ length: 8 }, () => asAgent(service)));
    await Promise.all(
      agents.flatMap((agent) => [
        grant(service.owner, server, agent),
        service.owner.delete(`/api/agents/${agent.id}`),
      ]),
    );
    const left = await service.sql(
      `SELECT 1 FROM server_access a JOIN agents g ON g.id = a.agent_id WHERE g.retired_at IS NOT NULL`,
    );
    expect(left).toEqual([]);
  });

  it('stays consistent under many concurrent changes', async () => {
    const agents = await Promise.all(Array.from({ length: 4 }, () => asAgent(service)));
    const everyone = (granted: boolean, list = agents) =>
      setOfServer(list.map(({ id }) => ({ agentId: id, granted })));
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        everyone(at % 2 === 0, at % 3 === 0 ? agents : agents.toReversed()),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const granted = agents.map((agent) => ofServer(server.id).then((rows) => rowOf(rows, agent)?.granted));
    expect(new Set(await Promise.all(granted)).size).toBe(1);
  });
});

describe('PUT and GET access of an agent', () => {
  it('reads and changes the same access as the routes of the server', async () => {
    const agent = await asAgent(service);
    const other = await aServer(service.owner, 'polite');
    const { status, body } = await setOfAgent(agent, [
      { serverId: server.id, granted: true, tools: ['echo'] },
    ]);
    expect([status, body.find(({ serverId }) => serverId === server.id)]).toEqual([
      200,
      {
        serverId: server.id,
        serverName: server.name,
        granted: true,
        refused: false,
        tools: ['echo'],
        ask: null,
        approverRole: 'Editor',
        credentialSet: 'default',
      },
    ]);
    expect(body.find(({ serverId }) => serverId === other.id)).toMatchObject({ granted: false, tools: null });
    expect(await ofAgent(agent.id)).toEqual(body);
    expect(rowOf(await ofServer(server.id), agent)).toMatchObject({ granted: true, tools: ['echo'] });
  });

  it('reports every error at its row and applies no entry', async () => {
    const agent = await asAgent(service);
    const answer = await setOfAgent(agent, [
      { serverId: server.id, granted: true },
      { serverId: unknown, granted: true },
      { serverId: server.id, granted: true },
    ]);
    expect([answer.status, paths(answer)]).toEqual([400, ['entries[1].serverId', 'entries[2].serverId']]);
    expect(await reasons(agent)).toEqual(allBut('not_granted'));
  });

  it.each(['GET', 'PUT'])('%s requires an Admin and returns 404 for an unknown agent', async (method) => {
    const agent = await asAgent(service);
    const body = method === 'PUT' ? { entries: [] } : undefined;
    for (const id of [unknown, 'nonsense'])
      expect((await service.owner.request(method, `/api/agents/${id}/access`, { body })).status).toBe(404);
    const callers = [anonymous(service), await asEditor(service), agent];
    const statuses = await Promise.all(
      callers.map(
        async (caller) => (await caller.request(method, `/api/agents/${agent.id}/access`, { body })).status,
      ),
    );
    expect(statuses).toEqual([401, 403, 403]);
  });
});

describe('GET tools of an agent', () => {
  it('returns each reason why an agent may not use a tool', async () => {
    const [agent, mine] = [await asAgent(service), await aVerifiedServer(service.owner, 'polite')];
    await grant(service.owner, mine, agent, { tools: null });
    const seen: Record<string, unknown> = { granted: await reasons(agent, mine) };
    await service.owner.post(`${pathOf(mine)}/disable`);
    seen['disabled'] = await reasons(agent, mine);
    await service.sql(`UPDATE installed_servers SET status = 'error' WHERE id = $1`, [mine.id]);
    seen['error'] = await reasons(agent, mine);
    await service.owner.post(`${pathOf(mine)}/enable`);
    await service.sql(`UPDATE server_tools SET hash = 'other' WHERE server_id = $1 AND name = 'echo'`, [
      mine.id,
    ]);
    seen['changed'] = await reasons(agent, mine);
    await service.owner.put(`/api/agents/${agent.id}`, { disabled: true });
    seen['agent'] = await reasons(agent, mine);
    await service.owner.put(`/api/agents/${agent.id}`, { disabled: false });
    await service.owner.put('/api/agents/halt', { halted: true });
    seen['halted'] = await reasons(agent, mine);
    await service.owner.put('/api/agents/halt', { halted: false });
    expect(seen).toEqual({
      granted: allBut(null),
      disabled: allBut('server_disabled'),
      error: allBut('server_error'),
      changed: allBut(null, { echo: 'tool_changed' }),
      agent: allBut('agent_disabled'),
      halted: allBut('halted'),
    });
  });

  it('returns the name of each tool at the server and the advertised name', async () => {
    const agent = await asAgent(service);
    const { body } = await service.owner.get<Record<string, unknown>[]>(`/api/agents/${agent.id}/tools`);
    expect(body.find((tool) => tool['serverId'] === server.id && tool['name'] === 'echo')).toEqual({
      ...{
        name: 'echo',
        advertisedName: `${server.slug}__echo`,
        serverId: server.id,
        serverName: server.name,
      },
      allowed: false,
      reason: 'not_granted',
      invalidReason: null,
      ask: false,
      source: null,
      profiles: [],
      credentialSet: 'default',
    });
  });

  it('requires an Admin and returns 404 for an unknown agent', async () => {
    const agent = await asAgent(service);
    expect((await service.owner.get(`/api/agents/${unknown}/tools`)).status).toBe(404);
    const callers = [anonymous(service), await asEditor(service), agent];
    const statuses = await Promise.all(
      callers.map(async (caller) => (await caller.get(`/api/agents/${agent.id}/tools`)).status),
    );
    expect(statuses).toEqual([401, 403, 403]);
  });
});

describe('GET /api/mcp/access', () => {
  interface Matrix {
    agents: { id: string }[];
    servers: { id: string }[];
    cells: { agentId: string; serverId: string; granted: boolean; tools: string[] | null }[];
  }
  const matrix = async () => (await service.owner.get<Matrix>('/api/mcp/access')).body;

  it('lists agents and servers, with a cell for each grant', async () => {
    const [all, some, none] = [await asAgent(service), await asAgent(service), await asAgent(service)];
    await setOfServer([
      { agentId: all.id, granted: true },
      { agentId: some.id, granted: true, tools: ['echo', 'pid'], ask: 'writes', approverRole: 'Admin' },
    ]);
    const byGrant = { granted: true, credentialSet: 'default', source: 'grant' };
    const { agents, servers, cells } = await matrix();
    for (const { id, name } of [all, some, none])
      expect(agents).toContainEqual({ id, name, disabled: false });
    expect(servers).toContainEqual({ id: server.id, name: server.name, status: 'enabled', tools: 5 });
    const ours = [all.id, some.id, none.id];
    expect(cells.filter(({ agentId }) => ours.includes(agentId))).toEqual([
      { agentId: all.id, serverId: server.id, tools: null, ask: null, approverRole: 'Editor', ...byGrant },
      {
        agentId: some.id,
        serverId: server.id,
        tools: ['echo', 'pid'],
        ask: 'writes',
        approverRole: 'Admin',
        ...byGrant,
      },
    ]);
  });

  it('has null tools for a server before its first listing', async () => {
    const { id } = await aServer(service.owner, 'polite');
    expect((await matrix()).servers.find((one) => one.id === id)).toMatchObject({ tools: null });
  });

  it('leaves out an agent that is retired, with its cells', async () => {
    const agent = await asAgent(service);
    await setOfServer([{ agentId: agent.id, granted: true }]);
    await service.owner.delete(`/api/agents/${agent.id}`);
    expect(JSON.stringify(await matrix())).not.toContain(agent.id);
  });

  it('agrees with the access of the server', async () => {
    const rows = (await ofServer(server.id)).filter(({ granted }) => granted);
    const cells = (await matrix()).cells.filter(({ serverId, granted }) => serverId === server.id && granted);
    expect(cells.map(({ agentId, tools }) => ({ agentId, tools })).toSorted(byAgent)).toEqual(
      rows.map(({ agentId, tools }) => ({ agentId, tools })).toSorted(byAgent),
    );
  });

  const set = (entries: unknown, caller: Caller = service.owner) =>
    caller.put<Matrix>('/api/mcp/access', { entries });

  it('takes several grants at once, merges them, and returns the matrix', async () => {
    const other = await aServer(service.owner, 'polite');
    const [one, two] = [await asAgent(service), await asAgent(service)];
    await setOfServer([{ agentId: two.id, granted: true }]);
    const answer = await set([
      { agentId: one.id, serverId: server.id, granted: true, tools: ['echo'] },
      { agentId: one.id, serverId: other.id, granted: true, ask: 'writes' },
      { agentId: two.id, serverId: server.id, granted: false },
    ]);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(await matrix());
    const ours = answer.body.cells.filter(({ agentId }) => [one.id, two.id].includes(agentId));
    expect(ours).toHaveLength(3);
    expect(ours).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ agentId: two.id, serverId: server.id, granted: false }),
        expect.objectContaining({ agentId: one.id, serverId: server.id, granted: true, tools: ['echo'] }),
        expect.objectContaining({
          agentId: one.id,
          serverId: other.id,
          granted: true,
          tools: null,
          ask: 'writes',
        }),
      ]),
    );
    const changed = await service.sql<{ subject_id: string; entries: object[] }>(
      `SELECT subject_id, data -> 'entries' AS entries FROM journal WHERE type = 'mcp.access.changed' ORDER BY position DESC LIMIT 2`,
    );
    expect(new Map(changed.map(({ subject_id, entries }) => [subject_id, entries.length]))).toEqual(
      new Map([
        [server.id, 2],
        [other.id, 1],
      ]),
    );
    await set([{ agentId: one.id, serverId: server.id, granted: true }]);
    expect(rowOf(await ofServer(server.id), one)).toMatchObject({ granted: true, tools: ['echo'] });
  });

  it('refuses an id that is unknown, a pair that is named twice, and an unknown tool, and changes nothing', async () => {
    const agent = await asAgent(service);
    const good = { agentId: agent.id, serverId: server.id, granted: true };
    const answer = await set([
      good,
      { ...good, granted: false },
      { ...good, agentId: unknown },
      { ...good, agentId: 'x', serverId: unknown },
      { ...good, serverId: 'x' },
    ]);
    expect(answer.status).toBe(400);
    expect(paths(answer)).toEqual([
      ...['entries[1].agentId', 'entries[2].agentId', 'entries[3].agentId', 'entries[3].serverId'],
      'entries[4].serverId',
    ]);
    expect(paths(await set([{ ...good, tools: ['echo', 'none'], ask: ['none'] }]))).toEqual([
      'entries[0].tools[1]',
      'entries[0].ask[0]',
    ]);
    expect(rowOf(await ofServer(server.id), agent)).toMatchObject({ granted: false });
    expect((await set([good], await asEditor(service))).status).toBe(403);
  });

  const byAgent = (one: { agentId: string }, other: { agentId: string }) =>
    one.agentId.localeCompare(other.agentId);
});
