import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor, asSession } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { useService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import { modern } from '../gateway/wire-call.js';

/** Few enough to be used up, and enough to create the callers of one test. */
const LIMIT = 20;
/** The limit of heartbeats and turns of one key. */
const AT_ONCE = 500;
const service = useService();
/** Some hundred connections are held open here; a unit test covers the rule itself. */
const inFull = process.env['TEST_SIZE'] === 'full' ? it : it.skip;
const tooMany = refused(429, 'rate_limited');

let other: Promise<Service> | undefined;
/** Connects a caller that a process without limits created to a process with limits, which counts for each caller. */
const limited = async (make: (of: Service) => Promise<Caller>) => {
  other ??= service.second({ RATE_LIMIT_PER_MINUTE: String(LIMIT) });
  return (await make(service)).at(await other);
};

async function useUp(caller: Caller): Promise<number> {
  let passed = 0;
  while (passed <= LIMIT && (await caller.get('/api/auth/me')).status === 200) passed++;
  return passed;
}

it('limits the requests of a key per minute, and returns Retry-After', async () => {
  const editor = await limited(asEditor);
  expect(await useUp(editor)).toBe(LIMIT);
  const answer = await editor.get('/api/projects');
  expect(answer).toMatchObject(tooMany);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
  expect((await editor.at(service).get('/api/projects')).status).toBe(200);
});

it('limits the requests of each session separately', async () => {
  const session = await limited((of) => asSession(of, 'Viewer'));
  expect(await useUp(session)).toBe(LIMIT);
  expect((await service.owner.at(session.service).get('/api/auth/me')).status).toBe(200);
});

it('does not count heartbeats and turns', async () => {
  const agent = await limited(asAgent);
  await useUp(agent);
  expect(await agent.get('/api/auth/me')).toMatchObject(tooMany);
  expect((await agent.post('/api/agents/me/heartbeat')).status).toBe(200);
  expect((await agent.post('/api/agents/me/turns')).status).toBe(200);
});

describe('the MCP endpoint', () => {
  const headers = { accept: 'application/json, text/event-stream' };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'platform__my_issues' } };
  const send = (agent: Caller, frame: unknown) => agent.unchecked().post('/mcp', frame, { headers });

  it('counts messages and requests together', async () => {
    const agent = await limited(asAgent);
    await useUp(agent);
    for (const frame of [call, { ...call, method: 'ping' }]) {
      const answer = await send(agent, frame);
      expect(answer).toMatchObject(tooMany);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
  });

  it('counts every tool call', async () => {
    const agent = await limited(asAgent);
    const status = async () => (await modern(agent, 'tools/call', call.params)).status;
    for (let n = 0; n < LIMIT; n += 1) expect(await status()).toBe(200);
    expect(await status()).toBe(429);
  });

  it('counts every message of a batch', async () => {
    const agent = await limited(asAgent);
    const batch = Array.from({ length: LIMIT / 2 }, () => call);
    for (let n = 0; n < 2; n += 1) expect((await send(agent, batch)).status).not.toBe(429);
    expect(await send(agent, batch)).toMatchObject(tooMany);
  });
});

inFull('heartbeats and turns have a limit of how many at once, each key its own', async () => {
  const agent = await asAgent(service);
  const rest = new AbortController();
  // On a busy host some are not admitted before their time is up.
  const slow = Array.from({ length: AT_ONCE + 50 }, () => heartbeatWithoutEnd(agent, rest.signal));
  const turn = async () => (await agent.post('/api/agents/me/turns')).status;
  await until(async () => (await turn()) === 429, 50);
  expect(await agent.post('/api/agents/me/turns')).toMatchObject({
    ...tooMany,
    headers: { 'retry-after': '1' },
  });
  expect((await (await asAgent(service)).post('/api/agents/me/heartbeat')).status).toBe(200);
  rest.abort();
  await Promise.allSettled(slow);
  await until(async () => (await turn()) === 200);
});

/** Begins a body and never finishes it. */
function heartbeatWithoutEnd(agent: Caller, signal: AbortSignal): Promise<unknown> {
  const rawBody = new PassThrough();
  rawBody.on('error', () => undefined).write('{');
  const headers = { 'content-type': 'application/json' };
  return agent.open('POST', '/api/agents/me/heartbeat', { rawBody, headers, signal });
}
