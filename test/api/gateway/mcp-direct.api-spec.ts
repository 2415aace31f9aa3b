import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canary } from '../../support/canary.js';
import { asAgent } from '../../support/callers.js';
import type { Caller } from '../../support/caller.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { grant, installed, revoke, type Installed } from './mcp-setting.js';
import { modern, post, session, type WireAnswer } from './wire-call.js';

// A plain call is answered by a short way of our own, one that asks for progress by the SDK's server: nobody may see
// a difference but in the form of the body.
const catalog = new LocalCatalog()
  .stdio('polite', ['misbehaving.mjs', 'polite'])
  .stdio('secretive', ['misbehaving.mjs', 'echoes-secrets'], {
    variables: [{ name: 'SECRET', isRequired: true, isSecret: true }],
  });
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(() => catalog.remove());

let agent: Caller;
let polite: Installed;
let secretive: Installed;
beforeAll(async () => {
  agent = await asAgent(service);
  polite = await installed(service, 'polite');
  secretive = await installed(service, 'secretive', { envValues: { SECRET: canary('a secret of eight') } });
  for (const server of [polite, secretive]) await grant(service, server, agent);
});

type Call = (params: Record<string, unknown>) => Promise<WireAnswer>;
const ways: [string, () => Promise<Call>][] = [
  [
    '2025-11-25',
    async () => {
      const { request } = await session(agent);
      return (params) => request('tools/call', params);
    },
  ],
  ['2026-07-28', async () => (params) => modern(agent, 'tools/call', params)],
];
const slow = { _meta: { progressToken: 'so the SDK answers' } };

describe.each(ways)('a plain call of %s', (era, open) => {
  it.each([
    ['a result', () => ({ name: `${polite.slug}__echo`, arguments: { a: [1, { b: null }] } })],
    ['a result without arguments', () => ({ name: `${polite.slug}__echo` })],
    ['masked structured content', () => ({ name: `${secretive.slug}__result`, arguments: {} })],
    ["the server's own error, masked", () => ({ name: `${secretive.slug}__error`, arguments: {} })],
    ['a tool that is not there', () => ({ name: `${polite.slug}__nope`, arguments: {} })],
    ['a name of no form', () => ({ name: 'nonsense', arguments: {} })],
    ["the platform's own tool", () => ({ name: 'platform__my_issues', arguments: {} })],
    ["the platform's own refusal", () => ({ name: 'platform__get_issue', arguments: { issueId: 'X-1' } })],
  ])('gives the same as the SDK: %s', async (_, params) => {
    const call = await open();
    const [short, long] = [await call(params()), await call({ ...params(), ...slow })];
    expect(short.headers['content-length']).toBeDefined();
    expect(long.headers['content-length']).toBeUndefined();
    expect(short.status).toBe(long.status);
    expect({ ...short.message, id: null }).toEqual({ ...long.message, id: null });
    expect(short.headers['x-content-type-options']).toBe('nosniff');
    expect(short.headers['x-request-id']).toMatch(/./);
  });

  it('asks anew whether it may, each time', async () => {
    const call = await open();
    const echo = { name: `${polite.slug}__echo`, arguments: {} };
    expect((await call(echo)).message).toHaveProperty('result');
    await revoke(service, polite, agent);
    expect((await call(echo)).message).toMatchObject({ error: { code: -32_602 } });
    await grant(service, polite, agent);
    expect((await call(echo)).message).toHaveProperty('result');
  });

  it('is refused on the way of another agent, with a key that is none, and from a foreign page', async () => {
    const other = await asAgent(service);
    const frame = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x__y' } };
    const headers: Record<string, string> = era.startsWith('2025')
      ? { 'mcp-session-id': 'x' }
      : { 'mcp-method': 'tools/call', 'mcp-name': 'x__y', 'mcp-protocol-version': era };
    const statuses = [
      await post(agent, frame, headers, `/api/agents/${other.id}/mcp`),
      await post(agent, frame, { ...headers, origin: 'https://evil.example' }),
      await post(agent, frame, { ...headers, authorization: `Bearer ${agent.key!.slice(0, -1)}_` }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([403, 403, 401]);
  });
});

it('is cancelled by a notice of its session', async () => {
  const { id, request } = await session(agent);
  const waiting = request('tools/call', { name: `${polite.slug}__wait`, arguments: { ms: 30_000 } });
  await until(async () => {
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    await post(agent, cancelled, { 'mcp-session-id': id });
    return Promise.race([waiting.then(() => true), new Promise((resolve) => setTimeout(resolve, 50, false))]);
  });
  expect((await waiting).message).toMatchObject({ result: { isError: true } });
});

describe('a call whose body comes after its headers', () => {
  /** Sends the headers, and the body once `sent` says so; the answer's status. */
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

  it('is answered when it is there', async () => {
    const looked = () => new Promise((resolve) => setTimeout(resolve, 50));
    expect(await slowly(agent.key!, looked)).toBe(200);
  });

  it('is refused before, where its key is none', async () => {
    const retired = await asAgent(service);
    await service.owner.delete(`/api/agents/${retired.id}`);
    expect(await slowly(retired.key!, (answered) => answered)).toBe(401);
  });
});

it('belongs to its session: the id of another agent leads nowhere', async () => {
  const { id } = await session(agent);
  const other = await asAgent(service);
  const params = { name: `${polite.slug}__echo`, arguments: {} };
  const frame = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  expect((await post(other, frame, { 'mcp-session-id': id })).status).toBe(404);
});
