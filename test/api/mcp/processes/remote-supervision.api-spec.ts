import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { forgetfulServer, refusesWith, type Forgetful } from '../../../support/mcp-servers/forgetful.js';
import { legacyServer } from '../../../support/mcp-servers/remote.js';
import { until } from '../../../support/until.js';
import { aDataDir, aRemote } from './fake-servers.js';
import { aSupervisor, call, shutDownAll } from './supervisors.js';

const data = aDataDir();
afterEach(shutDownAll);
afterAll(data.drop);

describe('remote servers', () => {
  it('are initialized again when they forgot the session, and the call is repeated', async () => {
    const remote = await legacyServer();
    const supervisor = aSupervisor(data.path, { allowedHosts: [remote.host] });
    const server = aRemote('http', remote.url);
    expect(await call(supervisor, server, 'echo', { value: 'one' })).toBe('one');
    remote.sessions.clear();
    expect(await call(supervisor, server, 'echo', { value: 'two' })).toBe('two');
    await supervisor.shutdown();
    await remote.close();
  });

  it('that refuse the credentials are distinguished from those that are down', async () => {
    const remote = await legacyServer();
    const supervisor = aSupervisor(data.path, { allowedHosts: [remote.host] });
    await expect(call(supervisor, aRemote('http', remote.url, 'bad-key'), 'echo')).rejects.toMatchObject({
      kind: 'credentials_refused',
    });
    await remote.close();
    await expect(call(supervisor, aRemote('http', remote.url), 'echo')).rejects.toMatchObject({
      kind: 'start_failed',
    });
  });
});

describe('a remote server that has forgotten a session', () => {
  const open: Forgetful[] = [];
  afterEach(async () => {
    await shutDownAll();
    await Promise.all(open.splice(0).map((remote) => remote.close()));
  });
  async function aForgetful(options: Parameters<typeof forgetfulServer>[0] = {}) {
    const remote = await forgetfulServer(options);
    open.push(remote);
    const supervisor = aSupervisor(data.path, { allowedHosts: [remote.host] });
    const server = aRemote('http', remote.url);
    const request = (method: string, params = {}) => supervisor.call(server, 'shared', method, params);
    return { remote, supervisor, server, echo: () => call(supervisor, server, 'echo'), request };
  }
  const error = (code: number, message: string) =>
    JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
  const jsonRpc = (code: number, message: string) => (request: { id?: unknown }, response: ServerResponse) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id: request.id ?? null, error: { code, message } }));
  const inStream = (request: { id?: unknown }, response: ServerResponse) => {
    const message = {
      jsonrpc: '2.0',
      id: request.id,
      error: { code: -32_001, message: 'Session not found' },
    };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return response.end(`data: ${JSON.stringify(message)}\n\n`);
  };

  it.each([
    [
      '400 with a JSON-RPC error',
      refusesWith(400, error(-32_000, 'Bad Request: No valid session ID provided')),
    ],
    ['400 about the handshake', refusesWith(400, error(-32_000, 'Server not initialized'))],
    ['401', refusesWith(401)],
    ['404 without a body', refusesWith(404)],
    ['404 with HTML', refusesWith(404, '<html>')],
    ['409', refusesWith(409)],
    ['410', refusesWith(410, 'gone')],
    ['a JSON-RPC error', jsonRpc(-32_001, 'Session not found')],
    ['an invalid request', jsonRpc(-32_600, 'Session not found')],
    ['a JSON-RPC error in a stream', inStream],
    [
      'a JSON-RPC error with the id null',
      refusesWith(200, error(-32_001, 'Session not found'), 'application/json'),
    ],
    [
      'such an error in a stream',
      refusesWith(200, `data: ${error(-32_001, 'Session not found')}\n\n`, 'text/event-stream'),
    ],
  ])('by %s gets a new one, in which the request is executed once', async (_, unknown) => {
    const { remote, echo, request } = await aForgetful({ unknown });
    await echo();
    for (const again of [
      echo,
      () => request('prompts/get', { name: 'x' }),
      () => request('resources/read'),
    ]) {
      remote.forget();
      const before = remote.executed.length;
      await again();
      expect(remote.executed.slice(before)).toEqual([
        'tools/list',
        expect.stringMatching(/^echo$|^prompts|^resources/),
      ]);
    }
  });

  it('and answers so in every session gets the request twice, and its caller the answer', async () => {
    const { remote, supervisor, server, echo } = await aForgetful({
      answers: { odd: refusesWith(400), spoken: jsonRpc(-32_001, 'Session not found') },
    });
    await echo();
    await expect(call(supervisor, server, 'odd')).rejects.toMatchObject({
      kind: 'unreachable',
      reason: expect.stringContaining('HTTP 400'),
    });
    await expect(call(supervisor, server, 'spoken')).rejects.toMatchObject({
      code: -32_001,
      message: 'Session not found',
    });
    expect(remote.executed.filter((name) => name === 'odd')).toHaveLength(2);
    expect(remote.executed.filter((name) => name === 'spoken')).toHaveLength(2);
  });

  it('and writes null for what its result has not is understood', async () => {
    const { request } = await aForgetful({
      answers: {
        nulls: ({ id }, response) =>
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [], _meta: null }, error: null })),
      },
    });
    expect(await request('tools/call', { name: 'nulls' })).toEqual({ content: [] });
  });

  it('repeats no call of others that it is still executing', async () => {
    const held: (() => void)[] = [];
    const { remote, supervisor, server, echo } = await aForgetful({
      answers: {
        slow: ({ id }, response) =>
          held.push(() => {
            const result = { content: [{ type: 'text', text: 'slowly done' }] };
            response
              .writeHead(200, { 'content-type': 'application/json' })
              .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
          }),
      },
    });
    await echo();
    const slow = call(supervisor, server, 'slow');
    await until(() => held.length === 1);
    remote.forget();
    expect(await echo()).toBe('done');
    held[0]!();
    expect(await slow).toBe('slowly done');
    expect(remote.executed.filter((name) => name === 'slow')).toHaveLength(1);
  });

  const cut = (_: unknown, response: ServerResponse) => response.destroy();
  const cutInStream = (_: unknown, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': begun\n\n');
    setImmediate(() => response.destroy());
  };
  it.each([
    ['500', refusesWith(500)],
    ['503', refusesWith(503, 'Service Unavailable')],
    ['a cut connection', cut],
    ['a cut stream', cutInStream],
  ])('by %s repeats only what changes nothing, and opens a new session', async (_, unknown) => {
    const { remote, echo, request } = await aForgetful({ unknown });
    await echo();
    remote.forget();
    await expect(echo()).rejects.toMatchObject({ kind: 'unreachable' });
    expect(remote.executed.filter((name) => name === 'echo')).toHaveLength(1);
    expect(await echo()).toBe('done');
    remote.forget();
    expect(await request('resources/read')).toEqual({ contents: [] });
  });

  it('is distinguished from one that refuses the credentials', async () => {
    const { remote, echo } = await aForgetful({ unknown: refusesWith(401) });
    await echo();
    remote.accept('other-key');
    await expect(echo()).rejects.toMatchObject({ kind: 'credentials_refused' });
    expect(remote.opened()).toBe(1);
    remote.accept('good-key');
    expect(await echo()).toBe('done');
    expect(remote.opened()).toBe(1);
  });

  it('costs no access token, and a token that has expired costs no session', async () => {
    const { remote, supervisor, server, echo } = await aForgetful({ unknown: refusesWith(401) });
    const refused: (string | undefined)[] = [];
    let value = 'first';
    server.headers = {};
    server.tokens = {
      token: async (refusedId) => {
        refused.push(refusedId);
        if (refusedId !== undefined) value = 'second';
        return { id: value, value };
      },
    };
    remote.accept('first');
    await echo();
    remote.forget();
    expect(await echo()).toBe('done');
    expect(refused.filter((id) => id !== undefined)).toEqual([]);
    const session = remote.requests.at(-1)!.headers['mcp-session-id'];
    remote.accept('second');
    expect(await call(supervisor, server, 'echo')).toBe('done');
    expect(refused).toContain('first');
    expect(remote.requests.at(-1)!.headers['mcp-session-id']).toBe(session);
  });

  it('gets a new one for its notifications without a call', async () => {
    const { remote, echo } = await aForgetful();
    await echo();
    await until(() => remote.requests.some(({ method }) => method === 'GET'));
    remote.forget();
    await until(() => remote.opened() === 2);
    await until(() => remote.executed.filter((name) => name === 'tools/list').length === 2);
  });
});
