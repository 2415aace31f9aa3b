import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { asAgent } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { clientKinds, closeClients, connect } from '../gateway/mcp-clients.js';
import { session } from '../gateway/wire-call.js';
import { LocalCatalog } from './local-catalog.js';
import { aServer, grant, pathOf, toolStates, verify, type Tool } from './servers.js';

const catalog = new LocalCatalog().stdio('answering', ['answers-from-file.mjs'], {
  variables: [{ name: 'ANSWERS_FILE', format: 'filepath', isRequired: true }],
});
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterEach(closeClients);
afterAll(() => catalog.remove());

const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, prompts: {}, resources: {} },
  serverInfo: { name: 'odd', version: '1' },
};
const tool = (name: string, fields: object = {}) => ({
  name,
  description: `does ${name}`,
  inputSchema: { type: 'object' },
  ...fields,
});

/** Installs a server with these answers and grants it to an agent. */
async function answering(answers: Record<string, object>) {
  const file = join(catalog.servers, `${randomBytes(6).toString('hex')}.answers.json`);
  const answer = (others: Record<string, object>): void =>
    writeFileSync(file, JSON.stringify({ initialize, ...others }));
  answer(answers);
  const server = await aServer(service.owner, 'answering', { envValues: { ANSWERS_FILE: file } });
  const agent = await asAgent(service);
  await grant(service.owner, server, agent);
  return { server, agent, answer };
}

const toolsOf = async (server: { id: string }) =>
  (await service.owner.get<Tool[]>(`${pathOf(server)}/tools`)).body;

describe('one odd definition', () => {
  it('takes nothing else from an agent, in both clients, and the verification names it', async () => {
    const { server, agent } = await answering({
      'tools/list': {
        tools: [
          tool('good'),
          tool('nulls', { title: null, outputSchema: null, annotations: { title: null } }),
          tool('untyped', { inputSchema: {} }),
          tool('broken', { outputSchema: { type: 'object', properties: { x: { $ref: '#/nowhere' } } } }),
          tool('wrong', { description: 5 }),
          tool('combined', { inputSchema: { type: 'object', anyOf: [{}] } }),
          tool('deferred', { execution: { taskSupport: 'required' } }),
          { description: 'no tool' },
          tool('misspelt', { inputSchema: { type: 'object', properties: { a: { type: 'strin' } } } }),
        ],
      },
      'prompts/list': {
        prompts: [
          { name: 'p', title: null, arguments: null },
          { name: 'q', arguments: 5 },
        ],
      },
      'resources/list': { resources: [{ uri: 'a:1', name: 'r', mimeType: null, size: '5' }, { uri: 'a:2' }] },
      'resources/templates/list': { resourceTemplates: [{ uriTemplate: 'a:{b}', name: 't' }, null] },
    });
    const { body } = await verify(service.owner, server);
    expect(body).toMatchObject({
      status: 'ok',
      capabilities: ['good', 'nulls', 'untyped', 'broken', 'combined', 'misspelt'],
    });
    expect(body.warnings.map(({ subject, message }) => `${subject}: ${message}`)).toEqual([
      expect.stringMatching(/^untyped: .*repaired: inputSchema\.type was set to "object"/),
      expect.stringMatching(/^broken: .*repaired: outputSchema was left out, because it does not compile/),
      'wrong: The tool is withheld from agents, because description must be text.',
      expect.stringMatching(/^combined: inputSchema has anyOf at its root/),
      expect.stringMatching(/^deferred: .*withheld.*as a task only/),
      expect.stringMatching(/^tools\[7\]: .*skipped/),
      expect.stringMatching(/^misspelt: inputSchema is no valid JSON Schema, because properties\.a\.type/),
      'q: The prompt is withheld from agents, because arguments must be a list.',
      expect.stringMatching(/^a:1: .*repaired: size was left out/),
      'a:2: The resource is withheld from agents, because name is missing.',
      expect.stringMatching(/^templates\[1\]: The resource template is withheld/),
    ]);
    expect((await toolsOf(server)).find(({ name }) => name === 'wrong')).toMatchObject({
      state: 'invalid',
      reason: 'description must be text',
    });
    const effective = await service.owner.get<{ name: string; reason: string; invalidReason: string }[]>(
      `/api/agents/${agent.id}/tools`,
    );
    expect(effective.body.find(({ name }) => name === 'wrong')).toMatchObject({
      reason: 'tool_invalid',
      invalidReason: 'description must be text',
    });
    for (const kind of clientKinds) {
      const client = await connect(agent, kind);
      const names = ['good', 'nulls', 'untyped', 'broken', 'combined', 'misspelt'];
      expect(await client.toolNames()).toEqual(
        expect.arrayContaining(['platform__next_issue', ...names.map((name) => `${server.slug}__${name}`)]),
      );
      expect((await client.toolNames()).filter((name) => name.startsWith(server.slug))).toHaveLength(6);
      expect((await client.prompts()).map(({ name }) => name)).toEqual([`${server.slug}__p`]);
      expect((await client.resources()).map(({ name }) => name)).toEqual(['r']);
      expect((await client.templates()).map(({ name }) => name)).toEqual(['t']);
    }
  });

  it('cannot be approved, and becomes available when its server has fixed it and a person approved it', async () => {
    const { server, agent, answer } = await answering({ 'tools/list': { tools: [tool('a', { title: 5 })] } });
    await verify(service.owner, server);
    const approve = (body?: object) => service.owner.post(`${pathOf(server)}/tools/approve`, body);
    expect((await approve({ names: ['a'] })).body).toMatchObject({
      errors: [{ path: 'names[0]', message: 'cannot be approved, because title must be text' }],
    });
    await approve();
    expect(await toolStates(service.owner, server)).toEqual({ a: 'invalid' });
    const client = await connect(agent, clientKinds[0]);
    await expect(client.call(`${server.slug}__a`)).rejects.toThrow(/defines it in a way that clients refuse/);
    answer({ 'tools/list': { tools: [tool('a')] } });
    await verify(service.owner, server);
    expect(await toolStates(service.owner, server)).toEqual({ a: 'new' });
    await approve();
    expect(await toolStates(service.owner, server)).toEqual({ a: 'approved' });
  });
});

describe('a handshake that MCP does not allow', () => {
  it.each([
    [{ serverInfo: { name: 'odd' } }, 'serverInfo.version: expected string, it is missing.'],
    [{ instructions: 5 }, 'instructions: expected string, received number.'],
    [
      { protocolVersion: '2099-01-01' },
      'The server speaks version 2099-01-01 of MCP, which this service does not.',
    ],
  ])('is refused with the member that is wrong: %j', async (fields, said) => {
    const { server } = await answering({ initialize: { ...initialize, ...fields } });
    const { body } = await verify(service.owner, server);
    expect(body).toMatchObject({ status: 'error', details: expect.stringContaining(said) });
  });
});

describe('the order of a server', () => {
  const schema = {
    type: 'object',
    properties: {
      reasoning_before_the_answer: {},
      answer: { enum: ['yes', 'no'] },
      zz: { properties: { second: {}, x: {} } },
      a: {},
    },
    required: ['reasoning_before_the_answer', 'answer'],
  };
  const listed = [
    tool('zeta', {
      _meta: { 'x/long name': null, y: 1 },
      inputSchema: schema,
      icons: [{ src: 'data:,', sizes: ['any'] }],
    }),
    {
      inputSchema: schema,
      annotations: { readOnlyHint: true, title: 'A' },
      name: 'alpha',
      execution: { taskSupport: 'forbidden' },
    },
  ];

  it('is that of tools and of all members in lists and turns', async () => {
    const { server, agent } = await answering({ 'tools/list': { tools: listed } });
    await verify(service.owner, server);
    const own = ({ name }: { name?: unknown }) => String(name).startsWith(server.slug);
    const { message } = await (await session(agent)).request('tools/list');
    const { tools } = message.result as unknown as { tools: object[] };
    const renamed = listed.map((one) => ({ ...one, name: `${server.slug}__${one.name}` }));
    expect(JSON.stringify(tools.filter(own))).toBe(JSON.stringify(renamed));
    const turn = await agent.post<{ tools: { name: string; inputSchema: object }[] }>(
      '/api/agents/me/turns',
      {},
    );
    expect(turn.body.tools.filter(own).map(({ name }) => name)).toEqual(renamed.map(({ name }) => name));
    for (const { inputSchema } of turn.body.tools.filter(own))
      expect(JSON.stringify(inputSchema)).toBe(JSON.stringify(schema));
    expect((await toolsOf(server)).map(({ name }) => name)).toEqual(['zeta', 'alpha']);
  });

  it('may change, also in sets, without a new approval, and agents get the new one', async () => {
    const { server, answer } = await answering({ 'tools/list': { tools: listed } });
    await verify(service.owner, server);
    const turned = {
      required: ['answer', 'reasoning_before_the_answer'],
      properties: {
        zz: { properties: { x: {}, second: {} } },
        answer: { enum: ['no', 'yes'] },
        a: {},
        reasoning_before_the_answer: {},
      },
      type: 'object',
    };
    answer({
      'tools/list': {
        tools: [
          { ...listed[1]!, inputSchema: turned },
          { ...listed[0]!, _meta: { y: 2 } },
        ],
      },
    });
    await verify(service.owner, server);
    const tools = await toolsOf(server);
    expect(tools.map(({ name, state }) => [name, state])).toEqual([
      ['alpha', 'approved'],
      ['zeta', 'approved'],
    ]);
    expect(JSON.stringify(tools[0]!.inputSchema)).toBe(JSON.stringify(turned));
  });

  it('comes to tools that an earlier release stored, which need no new approval', async () => {
    const { server, answer } = await answering({ 'tools/list': { tools: [tool('a')] } });
    await verify(service.owner, server);
    const unrepaired = {
      name: 'a',
      title: null,
      description: 'does a',
      inputSchema: { required: ['x', 'b'] },
    };
    await service.sql(
      `UPDATE server_tools SET definition = $2, hash = 'old', approved_hash = 'old', written = NULL, written_for = NULL
       WHERE server_id = $1`,
      [server.id, JSON.stringify(unrepaired)],
    );
    answer({
      'tools/list': { tools: [{ ...unrepaired, inputSchema: { required: ['b', 'x'] } }, tool('b')] },
    });
    await verify(service.owner, server);
    expect(await toolsOf(server)).toMatchObject([
      { name: 'a', state: 'approved', hash: 'old', inputSchema: { type: 'object', required: ['b', 'x'] } },
      { name: 'b', state: 'new' },
    ]);
  });
});

it('definitions that an earlier release stored are checked at the start, before agents list them', async () => {
  const { server, agent } = await answering({
    'tools/list': { tools: [tool('good'), tool('nulls'), tool('wrong')] },
  });
  await verify(service.owner, server);
  const store = (name: string, definition: object) =>
    service.sql(
      `UPDATE server_tools SET definition = $3, written = NULL, written_for = NULL WHERE server_id = $1 AND name = $2`,
      [server.id, name, JSON.stringify(definition)],
    );
  await store('nulls', { name: 'nulls', title: null, inputSchema: {} });
  await store('wrong', { name: 'wrong', description: 5, inputSchema: { type: 'object' } });
  await service.stop();
  await service.start();
  expect(await toolStates(service.owner, server)).toEqual({
    good: 'approved',
    nulls: 'approved',
    wrong: 'invalid',
  });
  const client = await connect(agent, clientKinds[0]);
  const names = (await client.toolNames()).filter((name) => name.startsWith(server.slug));
  expect(names).toEqual(['good', 'nulls'].map((name) => `${server.slug}__${name}`));
});
