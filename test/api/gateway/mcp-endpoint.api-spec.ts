import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { anonymous, asAdmin, asAgent, withKey } from '../../support/callers.js';
import type { Caller } from '../../support/caller.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { closeClients } from './mcp-clients.js';
import { grant, installed, type Installed } from './mcp-setting.js';
import { modern, post, session } from './wire-call.js';

const catalog = new LocalCatalog().stdio('polite', ['misbehaving.mjs', 'polite']);
const service = useService({
  settings: { CATALOG_DIRS: catalog.folder, DASHBOARD_ORIGINS: 'https://dashboard.example' },
});
afterAll(() => catalog.remove());
afterEach(closeClients);

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

describe('the MCP endpoint', () => {
  let agent: Caller;
  let server: Installed;
  beforeAll(async () => {
    agent = await asAgent(service);
    server = await installed(service, 'polite');
    await grant(service, server, agent);
  });

  it('is available to an agent under its id, under `me` and as /mcp', async () => {
    for (const path of [`/api/agents/${agent.id}/mcp`, '/api/agents/me/mcp', '/mcp']) {
      const { status, message } = await post(
        agent,
        { ...list, id: 7, method: 'initialize', params: GREETING },
        {},
        path,
      );
      expect(status).toBe(200);
      expect(message).toMatchObject({
        id: 7,
        result: { serverInfo: { name: 'agent-work-platform' }, protocolVersion: '2025-11-25' },
      });
    }
  });

  it('returns 401 without a valid credential', async () => {
    for (const caller of [anonymous(service), withKey(service, 'awp_a_nonsense')]) {
      const answer = await caller.unchecked().post('/mcp', list);
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="awp"');
    }
  });

  it('refuses users, and agents other than the one of the path, before it reads the body', async () => {
    const admin = await asAdmin(service);
    const other = await asAgent(service);
    for (const [caller, path] of [
      [admin, '/mcp'],
      [admin, `/api/agents/${agent.id}/mcp`],
      [other, `/api/agents/${agent.id}/mcp`],
    ] as const) {
      const answer = await caller.unchecked().post(path, undefined, { rawBody: 'no json at all' });
      expect(answer.status).toBe(403);
      expect(answer.headers['content-type']).toContain('application/problem+json');
    }
  });

  it.each([
    ['https://evil.example', 403],
    ['null', 403],
    ['http://localhost.evil.example', 403],
    ['http://127.0.0.1:1', 403],
    ['https://dashboard.example', 200],
  ])('with Origin %s returns %d', async (origin, expected) => {
    expect((await modern(agent, 'tools/list', {}, { origin })).status).toBe(expected);
  });

  it('accepts the Origin of the service itself', async () => {
    const { port } = new URL(service.baseUrl);
    for (const origin of [service.baseUrl, `http://localhost:${port}`])
      expect((await modern(agent, 'tools/list', {}, { origin })).status).toBe(200);
  });

  it('accepts frames up to 4 MiB and rejects larger ones', async () => {
    const value = 'a'.repeat(3.9 * 1024 * 1024);
    const name = `${server.slug}__echo`;
    const large = await modern(agent, 'tools/call', { name, arguments: { value } });
    expect(large.message).toHaveProperty('result.content.0', {
      type: 'text',
      text: JSON.stringify({ value }),
    });
    const tooLarge = await modern(agent, 'tools/call', { name, arguments: { value: value + value } });
    expect(tooLarge).toMatchObject({ status: 413, message: { error: { code: -32000 } } });
    const unannounced = Readable.from(chunksOf(6 * 1024 * 1024));
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const chunked = await agent.unchecked().request('POST', '/mcp', { rawBody: unannounced, headers });
    expect(chunked.status).toBe(413);
  });

  it.each([
    ['no JSON', '{"jsonrpc":', 400, -32700],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, -32700],
    ['no JSON-RPC', '{"hello":1}', 400, -32600],
    ['too deep for anyone', '['.repeat(200_000) + ']'.repeat(200_000), 400, -32600],
  ])('returns a JSON-RPC error for a body that is %s', async (_, rawBody, status, code) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const answer = await agent.unchecked().request('POST', '/mcp', { rawBody, headers });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: { code } });
  });

  it('accepts only JSON', async () => {
    const answer = await agent
      .unchecked()
      .request('POST', '/mcp', { rawBody: 'a=1', headers: { 'content-type': 'text/plain' } });
    expect(answer.status).toBe(415);
  });

  it.each([
    ['*/*', 'application/json'],
    ['', 'application/json'],
    ['application/json', 'application/json'],
    ['Application/*', 'application/json'],
    ['text/event-stream', 'text/event-stream'],
    ['text/event-stream, application/json;q=0', 'text/event-stream'],
    ['Text/Event-Stream, Application/JSON', 'application/json'],
  ])('serves a client that sends Accept %p, in both eras, in a form that it admits', async (accept, form) => {
    const echo = { name: `${server.slug}__echo`, arguments: { value: 1 } };
    const asked = { accept };
    const { request } = await session(agent, asked);
    const both = accept === '' || (/\*\/\*|json$/i.test(accept) && /stream|\*\/\*/i.test(accept));
    for (const answer of [
      await request('tools/list', {}, asked),
      await request('tools/call', echo, asked),
      await modern(agent, 'tools/list', {}, asked),
      await modern(agent, 'tools/call', { ...echo, _meta: { progressToken: 1 } }, asked),
    ]) {
      expect(answer.status).toBe(200);
      expect(answer.message).toHaveProperty('result');
      if (!both) expect(answer.headers['content-type']).toContain(form);
    }
  });

  it('returns 406 where Accept admits no form of the response', async () => {
    for (const accept of ['text/html', 'application/json;q=0', 'image/*']) {
      const { status, message } = await modern(agent, 'tools/list', {}, { accept });
      expect({ status, message }).toMatchObject({ status: 406, message: { error: { code: -32000 } } });
    }
    const stream = await agent.unchecked().get('/mcp', { headers: { accept: 'application/json' } });
    expect(stream.status).toBe(406);
  });

  it.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-06-18', '2025-06-18'],
    // A draft, and a revision of another world.
    ['2024-10-07', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
  ])('speaks released revisions: %s is answered with %s', async (protocolVersion, spoken) => {
    const params = { ...GREETING, protocolVersion };
    const { message } = await post(agent, { ...list, id: 9, method: 'initialize', params });
    expect(message).toHaveProperty('result.protocolVersion', spoken);
  });

  it('names what is wrong with an initialize, and counts null members as absent', async () => {
    const greeted = (params: unknown) => post(agent, { ...list, id: 9, method: 'initialize', params });
    const refused = await greeted({ ...GREETING, capabilities: null, clientInfo: { name: 'c' } });
    expect(refused).toMatchObject({
      status: 400,
      message: {
        id: 9,
        error: {
          code: -32602,
          message: 'initialize: params.capabilities is required; params.clientInfo.version is required',
        },
      },
    });
    const nulls = { capabilities: { roots: null }, clientInfo: { ...GREETING.clientInfo, title: null } };
    expect((await greeted({ ...GREETING, ...nulls })).message).toHaveProperty('result.protocolVersion');
    const { id } = await session(agent);
    const nothing = { jsonrpc: '2.0', id: 3, method: 'tools/list', params: null };
    expect((await post(agent, nothing, { 'mcp-session-id': id })).message).toHaveProperty('result.tools');
  });

  it('passes on arguments that nest 900 levels deep', async () => {
    const deep = '['.repeat(900) + ']'.repeat(900);
    const frame = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: `${server.slug}__echo`, arguments: { deep: 0 } },
    };
    const { id } = await session(agent);
    const answer = await post(agent, JSON.stringify(frame).replace('"deep":0', `"deep":${deep}`), {
      'mcp-session-id': id,
    });
    expect(answer.message).toHaveProperty('result.content.0', { type: 'text', text: `{"deep":${deep}}` });
  });

  it('directs no client to an OAuth login', async () => {
    const answer = await anonymous(service).unchecked().get('/.well-known/oauth-protected-resource');
    expect(answer.status).toBe(404);
  });
});

describe('a session of the old era', () => {
  it('ends when its client deletes it', async () => {
    // Other processes of a start do not hear of it.
    const one = await service.second({ PROCESSES: '1' });
    const agent = withKey(one, (await asAgent(service)).key!);
    const { id, request } = await session(agent);
    expect((await request('tools/list')).status).toBe(200);
    await agent.unchecked().delete('/mcp', { headers: { 'mcp-session-id': id } });
    expect(await request('tools/list')).toMatchObject({ status: 404, message: { error: { code: -32001 } } });
  });

  it('belongs to its agent: for another agent it does not exist', async () => {
    const { id } = await session(await asAgent(service));
    const stranger = await asAgent(service);
    const stolen = await post(stranger, list, { 'mcp-session-id': id });
    const invented = await post(stranger, list, { 'mcp-session-id': 'nothing' });
    expect(stolen).toMatchObject({ status: 404, message: { error: { code: -32001 } } });
    expect(stolen.text).toBe(invented.text);
  });

  it('is revived by its next request after it ended for want of use', async () => {
    const impatient = await service.second({ MCP_SESSION_IDLE_SECONDS: '2' });
    const agent = withKey(impatient, (await asAgent(service)).key!);
    const [left, used] = [await session(agent), await session(agent)];
    const lives = async ({ id }: { id: string }) =>
      (await post(agent, list, { 'mcp-session-id': id })).status === 200;
    // A look at it would use it, so the other one is looked at until its time is over twice.
    const over = Date.now() + 4_500;
    await until(async () => !(await lives(used)) || Date.now() > over);
    expect(await lives(used)).toBe(true);
    expect(await lives(left)).toBe(true);
  });

  it('is required for every request except initialize', async () => {
    const agent = await asAgent(service);
    expect((await post(agent, list)).status).toBe(400);
  });

  it('is needed by the stream of notifications, which is not allowed without one', async () => {
    const agent = await asAgent(service);
    const answer = await agent.unchecked().get('/mcp', { headers: { accept: 'text/event-stream' } });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('POST, DELETE');
  });

  it('stays unknown with an id that was changed', async () => {
    const agent = await asAgent(service);
    const { id } = await session(agent);
    const at = id.length - 30;
    const changed = `${id.slice(0, at)}${id[at] === 'A' ? 'B' : 'A'}${id.slice(at + 1)}`;
    expect(await post(agent, list, { 'mcp-session-id': changed })).toMatchObject({
      status: 404,
      message: { error: { code: -32001 } },
    });
  });

  it('is revived after it gave way to newer ones of the same agent', async () => {
    const agent = await asAgent(service);
    const others = await session(await asAgent(service));
    const oldest = await session(agent);
    for (let n = 0; n < 64; n += 1) await session(agent);
    expect((await oldest.request('tools/list')).status).toBe(200);
    expect((await others.request('tools/list')).status).toBe(200);
  });

  it('that failed to begin replaces no other session', async () => {
    const agent = await asAgent(service);
    const begun = await session(agent);
    for (let n = 0; n < 65; n += 1) {
      const refused = await post(
        agent,
        { ...list, method: 'initialize', params: GREETING },
        { accept: 'text/plain' },
      );
      expect(refused.status).toBe(406);
    }
    expect((await begun.request('tools/list')).status).toBe(200);
  });
});

function* chunksOf(bytes: number): Iterable<Buffer> {
  for (let sent = 0; sent < bytes; sent += 65_536) yield Buffer.alloc(65_536, ' ');
}

const GREETING = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'wire', version: '1' },
};
