import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { asAgent } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { useService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from './local-catalog.js';
import {
  aServer,
  callTool,
  grant,
  pathOf,
  toolStates,
  tryOut,
  verify,
  type Installed,
  type Tool,
} from './servers.js';

const catalog = new LocalCatalog().stdio('listed', ['tools-from-file.mjs'], {
  variables: [{ name: 'TOOLS_FILE', format: 'filepath', isRequired: true }],
});
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
const allowing = useService({ settings: { CATALOG_DIRS: catalog.folder, TOOL_CHANGE_POLICY: 'allow' } });
afterAll(() => catalog.remove());

const tool = (name: string, fields: object = {}) => ({
  name,
  description: `does ${name}`,
  inputSchema: { type: 'object' },
  ...fields,
});
const [echo, sum, changed] = [tool('echo'), tool('sum'), tool('changed')];

/** Installs a server that lists these tools, and returns a function that changes its next listing. */
async function listing(
  tools: object[],
  on: Service = service,
): Promise<{ server: Installed; lists: (tools: object[]) => void }> {
  const file = randomBytes(6).toString('hex');
  const server = await aServer(on.owner, 'listed', {
    envValues: { TOOLS_FILE: catalog.toolsFile(file, tools) },
  });
  return { server, lists: (others) => void catalog.toolsFile(file, others) };
}

/** Installs the same server, verifies it and grants it to an agent. */
async function approved(tools: object[]) {
  const { server, lists } = await listing(tools);
  const agent = await asAgent(service);
  await verify(service.owner, server);
  await grant(service.owner, server, agent);
  /** Returns the agent's tools of this server by name, with the reason if one is refused. */
  const given = async () => {
    const { body } = await service.owner.get<{ name: string; serverId: string; reason: string | null }[]>(
      `/api/agents/${agent.id}/tools`,
    );
    return Object.fromEntries(
      body.filter(({ serverId }) => serverId === server.id).map(({ name, reason }) => [name, reason]),
    );
  };
  return { server, lists, agent, given };
}

const toolsOf = async (server: { id: string }) =>
  (await service.owner.get<Tool[]>(`${pathOf(server)}/tools`)).body;
const approve = (server: { id: string }, body?: object) =>
  service.owner.post<Tool[]>(`${pathOf(server)}/tools/approve`, body);
const journalOf = async (server: { id: string }) =>
  service.sql<{ type: string; data: Record<string, unknown>; actor_type: string }>(
    `SELECT type, data, actor_type FROM journal WHERE subject_id = $1 AND type LIKE 'mcp.tool.%' ORDER BY position`,
    [server.id],
  );

describe('the tools of a server', () => {
  it('are unknown before the first listing, which is approved for the person who verified the server', async () => {
    const { server } = await listing([{ ...echo, title: 'Echo', annotations: { readOnlyHint: true } }, sum]);
    expect(await toolsOf(server)).toEqual([]);
    await verify(service.owner, server);
    const [first, second] = await toolsOf(server);
    expect(first).toEqual({
      ...{
        name: 'echo',
        title: 'Echo',
        description: 'does echo',
        inputSchema: { type: 'object' },
        annotations: { readOnlyHint: true },
      },
      ...{
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        state: 'approved',
        reason: null,
        firstSeenAt: expect.any(String),
        changedAt: null,
      },
      approvedBy: { type: 'user', id: expect.any(String), name: expect.any(String) },
      approved: null,
    });
    expect(second).toMatchObject({ name: 'sum', title: null, annotations: null, state: 'approved' });
  });

  it('are withheld from agents when any part of their definition changes, until a person approves them', async () => {
    const changes: Record<string, object> = {
      title: { title: 'Another' },
      description: { description: 'does echo, and reads your mail' },
      input: { inputSchema: { type: 'object', properties: { to: {} } } },
      output: { outputSchema: { type: 'object' } },
      annotations: { annotations: { destructiveHint: true } },
    };
    const all = (value: string | null) =>
      Object.fromEntries(Object.keys(changes).map((name) => [name, value]));
    const changedTools = (fields: object) =>
      Object.entries(changes).map(([name, change]) => ({ ...tool(name), ...change, ...fields }));
    const { server, lists, given } = await approved([...Object.keys(changes).map((name) => tool(name)), sum]);
    lists([...changedTools({}), sum]);
    await verify(service.owner, server);
    expect(await given()).toEqual({ ...all('tool_changed'), sum: null });
    expect(await toolStates(service.owner, server)).toEqual({ ...all('changed'), sum: 'approved' });
    lists([...changedTools({ title: 'Changed again' }), sum]);
    await verify(service.owner, server);
    for (const { name, approved: before } of await toolsOf(server))
      expect(before).toEqual(
        name === 'sum'
          ? null
          : { title: null, description: `does ${name}`, inputSchema: { type: 'object' }, annotations: null },
      );
    const { status, body } = await approve(server);
    expect([status, new Set(body.map(({ state }) => state))]).toEqual([200, new Set(['approved'])]);
    expect(body.map((one) => one.approved)).toEqual(body.map(() => null));
    expect(await given()).toEqual({ ...all(null), sum: null });
  });

  it('are called in a process that was started after a verification found them new or changed', async () => {
    const process = tool('process');
    const { server, lists } = await approved([process, sum]);
    const running = () => tryOut(service.owner, server, 'process');
    const first = await running();
    lists([process]);
    await verify(service.owner, server);
    expect(await running()).toBe(first);
    lists([process, tool('summe')]);
    await verify(service.owner, server);
    await approve(server);
    const second = await running();
    expect(second).not.toBe(first);
    lists([process, tool('summe', { title: 'Another' })]);
    await verify(service.owner, server);
    expect(await running()).not.toBe(second);
  });

  it('are forgotten when they are gone and were never approved, however many names a server lists', async () => {
    const { server, lists } = await approved([echo]);
    for (let round = 0; round < 3; round += 1) {
      lists([echo, ...Array.from({ length: 100 }, (_, at) => tool(`fresh-${round}-${at}`))]);
      await verify(service.owner, server);
    }
    expect(Object.keys(await toolStates(service.owner, server))).toHaveLength(101);
    const changes = (await journalOf(server)).filter(({ type }) => type === 'mcp.tool.changed');
    expect(changes.at(-1)!.data).toMatchObject({ counts: { added: 100, removed: 100 } });
    expect(JSON.stringify(changes.at(-1)!.data).length).toBeLessThan(5_000);
  });

  it('are unchanged if only the order of tools or of schema keys changes', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', default: '' }, b: { type: 'number' } },
    };
    const { server, lists } = await approved([tool('echo', { inputSchema: schema }), sum]);
    const turned = {
      properties: { b: { type: 'number' }, a: { default: '', type: 'string' } },
      type: 'object',
    };
    lists([sum, tool('echo', { inputSchema: turned })]);
    await verify(service.owner, server);
    expect(await toolStates(service.owner, server)).toEqual({ echo: 'approved', sum: 'approved' });
  });

  it('are unchanged if a definition names the folders of its process, which each process has for itself', async () => {
    const saves = tool('saves', { description: 'Saves to $HOME/pictures, by way of $TMPDIR.' });
    const { server, lists, given } = await approved([saves]);
    const described = async () => (await toolsOf(server))[0]!.description;
    expect(await described()).toContain(`/${server.id}/data/verify-`);
    await tryOut(service.owner, server, 'saves');
    expect(await toolStates(service.owner, server)).toEqual({ saves: 'approved' });
    expect(await described()).toContain(`/${server.id}/data/shared/home/pictures`);
    const read = await described();
    await verify(service.owner, server);
    expect([await given(), await described()]).toEqual([{ saves: null }, read]);
    lists([{ ...saves, description: 'Saves to $HOME/elsewhere, by way of $TMPDIR.' }]);
    await verify(service.owner, server);
    expect(await given()).toEqual({ saves: 'tool_changed' });
    lists([saves]);
    await verify(service.owner, server);
    expect([await given(), await described()]).toEqual([{ saves: null }, read]);
  });

  it('are withheld when they are new or renamed, and disappear when they are removed', async () => {
    const { server, lists, given } = await approved([echo, sum]);
    lists([echo, tool('summe')]);
    await verify(service.owner, server);
    expect(await toolStates(service.owner, server)).toEqual({
      echo: 'approved',
      sum: 'removed',
      summe: 'new',
    });
    expect(await given()).toEqual({ echo: null, sum: 'tool_changed', summe: 'tool_changed' });
    expect((await approve(server, { names: ['sum'] })).body.map(({ name }) => name)).toEqual([
      'echo',
      'summe',
    ]);
    expect(await given()).toEqual({ echo: null, summe: 'tool_changed' });
    lists([echo, sum]);
    await verify(service.owner, server);
    expect(await toolStates(service.owner, server)).toEqual({
      echo: 'approved',
      sum: 'new',
    });
  });

  it('are available again when they return as they were approved', async () => {
    const { server, lists, given } = await approved([echo, sum]);
    for (const tools of [[echo], [echo, sum]]) {
      lists(tools);
      await verify(service.owner, server);
    }
    expect(await given()).toEqual({ echo: null, sum: null });
  });

  it('are approved by name, and an unknown name is rejected', async () => {
    const { server, lists } = await approved([echo, sum]);
    lists([tool('echo', { title: 'A' }), tool('sum', { title: 'B' })]);
    await verify(service.owner, server);
    const answer = await approve(server, { names: ['echo', 'nope'] });
    expect(answer.body).toMatchObject({ status: 400, errors: [{ path: 'names[1]' }] });
    await approve(server, { names: ['echo'] });
    expect(await toolStates(service.owner, server)).toEqual({ echo: 'approved', sum: 'changed' });
    expect((await journalOf(server)).map(({ type, actor_type }) => [type, actor_type])).toEqual([
      ['mcp.tool.approved', 'user'],
      ['mcp.tool.changed', 'system'],
      ['mcp.tool.approved', 'user'],
    ]);
  });

  it('are approved as they were read, and none of them if one has changed meanwhile', async () => {
    const { server, lists } = await approved([echo, sum]);
    lists([
      { ...echo, title: 'Read' },
      { ...sum, title: 'Read' },
    ]);
    await verify(service.owner, server);
    const read = await toolsOf(server);
    const [names, hashes] = [read.map(({ name }) => name), read.map(({ hash }) => hash)];
    lists([
      { ...echo, title: 'Read' },
      { ...sum, title: 'Another' },
    ]);
    await verify(service.owner, server);
    expect(await approve(server, { names, hashes })).toMatchObject({
      status: 412,
      body: { code: 'version_mismatch', message: expect.stringContaining('The tool sum has changed') },
    });
    expect(await toolStates(service.owner, server)).toEqual({ echo: 'changed', sum: 'changed' });
    expect(await approve(server, { names: ['echo'], hashes })).toMatchObject(
      refused(400, 'validation_failed', 'hashes'),
    );
    expect((await approve(server, { names: ['echo'], hashes: [hashes[0]] })).status).toBe(200);
    expect(await toolStates(service.owner, server)).toEqual({ echo: 'approved', sum: 'changed' });
  });

  it('are listed again when the running server sends list_changed and when it starts again', async () => {
    const { server, lists } = await approved([echo, changed]);
    await tryOut(service.owner, server, 'echo');
    lists([tool('echo', { title: 'Told' }), changed]);
    await tryOut(service.owner, server, 'changed');
    await until(async () => (await toolStates(service.owner, server))['echo'] === 'changed');
    for (const action of ['disable', 'enable']) await service.owner.post(`${pathOf(server)}/${action}`);
    lists([echo, changed, sum]);
    await tryOut(service.owner, server, 'changed');
    await until(async () => (await toolStates(service.owner, server))['sum'] === 'new');
    expect(await toolStates(service.owner, server)).toEqual({
      changed: 'approved',
      echo: 'approved',
      sum: 'new',
    });
  });

  it('with equal names count once, and names that cannot be stored are skipped', async () => {
    const { server, lists } = await listing([echo, tool('echo', { title: 'Second' })]);
    await verify(service.owner, server);
    expect(await toolStates(service.owner, server)).toEqual({ echo: 'approved' });
    for (const name of ['a\0b', 'a\ud800b']) {
      lists([echo, tool(name)]);
      expect((await verify(service.owner, server)).body).toMatchObject({
        status: 'ok',
        capabilities: ['echo'],
        warnings: [{ subject: 'a\ufffdb', message: expect.stringMatching(/skipped/) }],
      });
    }
  });

  it('are approved at every change if TOOL_CHANGE_POLICY=allow', async () => {
    const { server, lists } = await listing([echo, sum], allowing);
    await verify(allowing.owner, server);
    lists([tool('echo', { title: 'Another' }), tool('further')]);
    await verify(allowing.owner, server);
    expect(await toolStates(allowing.owner, server)).toEqual({ echo: 'approved', further: 'approved' });
  });
});

describe('an Admin trying out a tool', () => {
  it('gets its result, and the record holds no values of arguments', async () => {
    const { server } = await approved([echo]);
    const { status, body } = await callTool(service.owner, server, 'echo', {
      text: 'a private thing',
      list: [1],
      none: null,
    });
    expect([status, body.isError, JSON.parse(body.content[0]!.text)]).toEqual([
      200,
      false,
      { text: 'a private thing', list: [1], none: null },
    ]);
    const argumentShape = { text: 'string', list: 'array', none: 'null' };
    expect((await journalOf(server)).at(-1)).toMatchObject({
      type: 'mcp.tool.called',
      data: { tool: 'echo', argumentShape, result: 'ok' },
    });
    const [record] = await service.sql(`SELECT * FROM tool_calls WHERE server_id = $1`, [server.id]);
    expect(record).toMatchObject({
      tool: 'echo',
      argument_shape: argumentShape,
      result: 'ok',
      agent_id: null,
      user_id: expect.any(String),
    });
  });

  it('can call a tool that is not approved, but not one that the server lacks', async () => {
    const { server, lists } = await approved([echo]);
    lists([echo, sum]);
    await verify(service.owner, server);
    expect((await callTool(service.owner, server, 'sum')).body.isError).toBe(false);
    expect((await callTool(service.owner, server, 'nope')).status).toBe(404);
  });

  it('gets the error of a tool or of a disabled server as a result', async () => {
    const { server } = await approved([tool('refuse')]);
    expect((await callTool(service.owner, server, 'refuse')).body).toMatchObject({
      isError: true,
      content: [{ text: 'The key is not valid.' }],
    });
    await service.owner.post(`${pathOf(server)}/disable`);
    expect((await callTool(service.owner, server, 'refuse')).body).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/disabled/) }],
    });
    const results = await service.sql<{ result: string }>(
      `SELECT result FROM tool_calls WHERE server_id = $1 ORDER BY called_at`,
      [server.id],
    );
    expect(results.map(({ result }) => result)).toEqual(['tool_error', 'refused']);
  });
});
