import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { startFixture } from '../../conformance/fixture.mjs';
import { canary } from '../../support/canary.js';
import { asAgent } from '../../support/callers.js';
import type { Caller } from '../../support/caller.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { grant, installed, revoke, type Installed } from './mcp-setting.js';
import { modern, post, session, type WireAnswer } from './wire-call.js';

// tools/call has a handler of its own, which is compared with the SDK in two ways. The results of the conformance fixture
// through the gateway are compared with those that the SDK's client gets from the SDK's server. The response to a single
// call is compared with the response to the same call in a batch, which the SDK's server handles.
const fixture = await startFixture();
const catalog = new LocalCatalog()
  .http('fixture', `http://127.0.0.1:${fixture.port}/mcp`)
  .stdio('polite', ['misbehaving.mjs', 'polite'])
  .stdio('secretive', ['misbehaving.mjs', 'echoes-secrets'], {
    variables: [{ name: 'SECRET', isRequired: true, isSecret: true }],
  });
const service = useService({
  settings: {
    CATALOG_DIRS: catalog.folder,
    MCP_ALLOWED_HOSTS: `127.0.0.1:${fixture.port}`,
    DASHBOARD_ORIGINS: 'https://dashboard.example',
    LOG_LEVEL: 'info',
  },
});
afterAll(() => {
  fixture.close();
  catalog.remove();
});

let agent: Caller;
let polite: Installed;
let secretive: Installed;
let conformance: Installed;
beforeAll(async () => {
  agent = await asAgent(service);
  polite = await installed(service, 'polite');
  secretive = await installed(service, 'secretive', { envValues: { SECRET: canary('a secret of eight') } });
  conformance = await installed(service, 'fixture');
  for (const server of [polite, secretive, conformance]) await grant(service, server, agent);
});

type Params = Record<string, unknown>;
type Call = (params: Params) => Promise<WireAnswer>;
const ways: [string, () => Promise<Call>][] = [
  [
    '2025-11-25',
    async () => {
      const { request: send } = await session(agent);
      return (params) => send('tools/call', params);
    },
  ],
  ['2026-07-28', async () => (params) => modern(agent, 'tools/call', params)],
];
const withProgress = { _meta: { progressToken: 'p' } };

describe.each<[string, VersionNegotiationMode]>([
  ['2025-11-25', 'legacy'],
  ['2026-07-28', 'auto'],
])('a client of %s', (_, mode) => {
  const connect = async (url: string, key?: string): Promise<Client> => {
    const capabilities = { elicitation: {} };
    const client = new Client({ name: 'test', version: '1' }, { capabilities, versionNegotiation: { mode } });
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
    const requestInit = key ? { headers: { authorization: `Bearer ${key}` } } : {};
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    return client;
  };

  it.each([false, true])(
    'gets the same result from every tool of the fixture through the gateway as directly (progress: %p)',
    async (progress) => {
      const direct = await connect(`http://127.0.0.1:${fixture.port}/mcp`);
      const through = await connect(`${service.baseUrl}/mcp`, agent.key!);
      const { tools } = await direct.listTools();
      const withOwnUris = (value: object) =>
        JSON.parse(JSON.stringify(value).replaceAll(`awp+${conformance.slug}:`, ''));
      // The triggers change the fixture's own lists.
      const names = tools
        .map(({ name }) => name)
        .filter((name) => !name.startsWith('test_trigger') && (mode === 'auto' || !asks(name)));
      expect(names.length).toBeGreaterThan(8);
      for (const name of [...names, 'no_such_tool']) {
        const expected = await outcome(direct, name, progress);
        const given = await outcome(through, `${conformance.slug}__${name}`, progress);
        if (name === 'no_such_tool') expect(given.error).toMatchObject({ code: -32_602 });
        // The gateway refuses requests for input by a person (test/conformance/baseline.yml).
        else if (name !== 'test_missing_capability')
          expect(withOwnUris({ name, ...given })).toEqual({ name, ...expected });
      }
      await Promise.all([direct.close(), through.close()]);
    },
  );
});

/** A tool that asks the client. The gateway speaks 2026-07-28 to the fixture, where these tools ask in another way. */
const asks = (name: string) => /^test_(elicitation|input_required)/.test(name);

async function outcome(client: Client, name: string, progress: boolean) {
  const notices: unknown[] = [];
  const onprogress = progress ? (notice: unknown) => void notices.push(notice) : undefined;
  try {
    const { _meta: _ours, ...result } = await client.callTool({ name, arguments: {} }, { onprogress });
    return { result, notices, error: null };
  } catch (error) {
    const { code, message, data } = error as Error & { code?: number; data?: unknown };
    return { result: null, notices, error: { code, message, data } };
  }
}

describe('a single call', () => {
  const shapes: [string, () => Params][] = [
    ['a result', () => ({ name: `${polite.slug}__echo`, arguments: { a: [1, { b: null }] } })],
    ['a result without arguments', () => ({ name: `${polite.slug}__echo` })],
    ['masked structured content', () => ({ name: `${secretive.slug}__result`, arguments: {} })],
    ["the server's own error, masked", () => ({ name: `${secretive.slug}__error`, arguments: {} })],
    ['a tool that does not exist', () => ({ name: `${polite.slug}__nope`, arguments: {} })],
    ['a name without the form of one', () => ({ name: 'nonsense', arguments: {} })],
    ['no name', () => ({ arguments: {} })],
    ["the platform's own tool", () => ({ name: 'platform__my_issues', arguments: {} })],
    ["the platform's own refusal", () => ({ name: 'platform__get_issue', arguments: { issueId: 'X-1' } })],
  ];

  it.each(shapes)('has the same response as in a batch, which the SDK handles: %s', async (_, params) => {
    const { id, request: send } = await session(agent);
    const alone = await send('tools/call', params());
    const frame = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: params() };
    const headers = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
    const batched = await post(agent, [frame], headers);
    expect(alone.message).toEqual(batched.message);
    expect(alone.headers['mcp-session-id']).toBe(batched.headers['mcp-session-id']);
    expect([alone.status, alone.headers['content-type']]).toEqual([200, 'application/json']);
    for (const { headers: given } of [alone, batched]) {
      expect(given['x-content-type-options']).toBe('nosniff');
      expect(given['x-request-id']).toMatch(/./);
    }
  });

  it.each(shapes)('has the same response in both eras, with and without progress: %s', async (_, params) => {
    const [old, stateless] = await Promise.all(ways.map(([, open]) => open()));
    const plain = (answer: WireAnswer): Record<string, unknown> => ({ ...answer.message, id: null });
    const expected = plain(await old!(params()));
    expect(plain(await old!({ ...params(), ...withProgress }))).toEqual(expected);
    const modernPlain = plain(await stateless!(params()));
    expect(plain(await stateless!({ ...params(), ...withProgress }))).toEqual(modernPlain);
    const { result } = modernPlain as { result?: Record<string, unknown> };
    if (!result) return expect(modernPlain).toEqual(expected);
    const { resultType, _meta: _ours, ...rest } = result;
    expect(resultType).toBe('complete');
    expect(rest).toEqual(expected['result']);
  });
});

describe('a refused call', () => {
  const put = (path: string, body: object) => service.owner.put(path, body);
  const status = (to: 'disable' | 'enable') => service.owner.post(`/api/mcp/installed/${polite.id}/${to}`);
  const inSql = (text: string) => service.sql(text, [polite.id]);
  const echoChanged = `UPDATE server_tools SET approved_hash = 'other' WHERE server_id = $1 AND name = 'echo'`;
  const echoApproved = `UPDATE server_tools SET approved_hash = hash WHERE server_id = $1 AND name = 'echo'`;
  const text = (part: RegExp) => ({
    result: { isError: true, content: [{ type: 'text', text: expect.stringMatching(part) }] },
  });
  const unknown = { error: { code: -32_602, message: expect.stringMatching(/not granted to you/) } };

  it.each<[string, object, () => Promise<unknown>, () => Promise<unknown>]>([
    [
      'while all agents are halted',
      text(/halted/),
      () => put('/api/agents/halt', { halted: true }),
      () => put('/api/agents/halt', { halted: false }),
    ],
    [
      'of a disabled agent',
      text(/You are disabled/),
      () => put(`/api/agents/${agent.id}`, { disabled: true }),
      () => put(`/api/agents/${agent.id}`, { disabled: false }),
    ],
    ['of a disabled server', text(/disabled by an admin/), () => status('disable'), () => status('enable')],
    [
      'of a server in error',
      text(/does not work at present/),
      () => inSql(`UPDATE installed_servers SET status = 'error' WHERE id = $1`),
      () => inSql(`UPDATE installed_servers SET status = 'enabled' WHERE id = $1`),
    ],
    ['of a tool that has changed', unknown, () => inSql(echoChanged), () => inSql(echoApproved)],
    [
      'of a tool that is not granted',
      unknown,
      () => grant(service, polite, agent, ['pid']),
      () => grant(service, polite, agent),
    ],
    [
      'of a server that is not granted',
      unknown,
      () => revoke(service, polite, agent),
      () => grant(service, polite, agent),
    ],
  ])(
    '%s has the same response, record, count and log line in every form',
    async (_, answer, arrange, undo) => {
      const { id, request: send } = await session(agent);
      const params = { name: `${polite.slug}__echo`, arguments: {} };
      const frame = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const before = { rows: await refusals(), count: await counted(), lines: lines().length };
      await arrange();
      try {
        const answers = [
          await post(agent, [frame], { 'mcp-session-id': id }),
          await send('tools/call', params),
          await send('tools/call', { ...params, ...withProgress }),
          await modern(agent, 'tools/call', params),
          await modern(agent, 'tools/call', { ...params, ...withProgress }),
        ];
        for (const { status: code, message } of answers) {
          expect(code).toBe(200);
          expect(message).toMatchObject(answer);
        }
        expect(answers[1]!.message).toEqual({ ...answers[0]!.message, id: answers[1]!.message.id });
      } finally {
        await undo();
      }
      await until(async () => (await refusals()) >= before.rows + 5);
      expect(await refusals()).toBe(before.rows + 5);
      expect(await counted()).toBe(before.count + 5);
      const own = lines().slice(before.lines);
      expect(own).toHaveLength(5);
      expect(new Set(own)).toEqual(new Set([`POST /mcp 200 agent:${agent.id}`]));
    },
  );

  async function refusals(): Promise<number> {
    const [row] = await service.sql<{ count: string }>(
      `SELECT count(*) FROM tool_calls WHERE agent_id = $1 AND server_id = $2 AND tool = 'echo' AND result = 'refused'`,
      [agent.id, polite.id],
    );
    return Number(row!.count);
  }

  async function counted(): Promise<number> {
    const { text: metrics } = await service.owner.get('/metrics');
    // Each process of a start has its own series.
    const series = new RegExp(
      `^awp_tool_calls_total\\{server="${polite.id}",result="refused"(?:,[^}]*)?\\} (\\d+)`,
      'gm',
    );
    return [...metrics.matchAll(series)].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  /** Returns the log lines of the agent's requests to the endpoint that returned 200. */
  function lines(): string[] {
    return service.log
      .split('\n')
      .filter((line) => line.includes(`agent:${agent.id}`) && line.includes('"route":"/mcp"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ status: code }) => code === 200)
      .map(({ method, route, status: code, caller }) => `${method} ${route} ${code} ${caller}`);
  }
});

describe.each(ways)('a call of %s', (era, open) => {
  it('is authorised each time', async () => {
    const call = await open();
    const echo = { name: `${polite.slug}__echo`, arguments: {} };
    expect((await call(echo)).message).toHaveProperty('result');
    await revoke(service, polite, agent);
    expect((await call(echo)).message).toMatchObject({ error: { code: -32_602 } });
    await grant(service, polite, agent);
    expect((await call(echo)).message).toHaveProperty('result');
  });

  it('is refused on the path of another agent, with a wrong key, and from a foreign page', async () => {
    const other = await asAgent(service);
    const frame = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x__y' } };
    const headers: Record<string, string> = era.startsWith('2025')
      ? { 'mcp-session-id': 'x' }
      : { 'mcp-method': 'tools/call', 'mcp-name': 'x__y', 'mcp-protocol-version': era };
    const answers = [
      await post(agent, frame, headers, `/api/agents/${other.id}/mcp`),
      await post(agent, frame, { ...headers, origin: 'https://evil.example' }),
      await post(agent, frame, { ...headers, authorization: `Bearer ${agent.key!.slice(0, -1)}_` }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 401]);
    expect(answers[2]!.headers['www-authenticate']).toBe('Bearer realm="awp"');
    for (const { headers: given } of answers)
      expect(given['content-type']).toContain('application/problem+json');
  });

  it('from a dashboard has the CORS headers of every other route', async () => {
    const { id } = await session(agent);
    const headers = { origin: 'https://dashboard.example', 'mcp-session-id': id };
    const params = { name: `${polite.slug}__echo`, arguments: {} };
    const call = await post(agent, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);
    const list = await post(agent, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers);
    const cors = ({ headers: given }: WireAnswer) =>
      Object.entries(given).filter(([name]) => /^access-control|^vary$/.test(name));
    expect(cors(call)).toHaveLength(4);
    expect(Object.fromEntries(cors(call))).toEqual(Object.fromEntries(cors(list)));
  });
});

it('a call that a notification of its session cancels gets no response', async () => {
  const { id, request: send } = await session(agent);
  const waiting = send('tools/call', { name: `${polite.slug}__wait`, arguments: { ms: 30_000 } });
  await until(async () => {
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    await post(agent, cancelled, { 'mcp-session-id': id });
    return Promise.race([waiting.then(() => true), new Promise((resolve) => setTimeout(resolve, 50, false))]);
  });
  expect(await waiting).toMatchObject({ status: 200, text: '' });
});

describe('a call whose body comes after its headers', () => {
  /** Sends the headers, and the body once `proceed` resolves; returns the status of the response. */
  const slowly = async (key: string, proceed: (answered: Promise<number>) => Promise<unknown>) => {
    const body = JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: `${polite.slug}__echo`, arguments: {} },
    });
    const headers = {
      ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...{ accept: 'application/json, text/event-stream', 'content-length': body.length },
      'mcp-session-id': (await session(agent)).id,
    };
    const sending = request(new URL('/mcp', service.baseUrl), { method: 'POST', headers });
    const answered = once(sending, 'response').then(([answer]: IncomingMessage[]) => {
      answer!.resume();
      return answer!.statusCode!;
    });
    sending.flushHeaders();
    await proceed(answered);
    sending.end(body);
    return answered;
  };

  it('gets its response once the body has arrived', async () => {
    const looked = () => new Promise((resolve) => setTimeout(resolve, 50));
    expect(await slowly(agent.key!, looked)).toBe(200);
  });

  it('is refused before the body has arrived when its key is wrong', async () => {
    const retired = await asAgent(service);
    await service.owner.delete(`/api/agents/${retired.id}`);
    expect(await slowly(retired.key!, (answered) => answered)).toBe(401);
  });
});

it('a call in the session of another agent has the same response as one in an unknown session', async () => {
  const { id } = await session(agent);
  const other = await asAgent(service);
  const params = { name: `${polite.slug}__echo`, arguments: {} };
  const frame = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  expect((await post(other, frame, { 'mcp-session-id': id })).status).toBe(404);
});
