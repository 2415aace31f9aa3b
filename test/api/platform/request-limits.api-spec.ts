import { PassThrough } from 'node:stream';
import { expect, it } from '@jest/globals';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor, asSession } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';

/** Few enough to be used up, and enough to make the callers of one test. */
const LIMIT = 20;
/** Heartbeats and turns of one key. */
const AT_ONCE = 500;
const service = useService();
/** Some hundred connections held open: the rule itself stands beside its code. */
const inFull = process.env['TEST_SIZE'] === 'full' ? it : it.skip;
const tooMany = refused(429, 'rate_limited');

/** Who was made by a process without limits, at one that has them. */
const limited = async (make: (of: typeof service) => Promise<Caller>) => {
  const other = await service.second({ RATE_LIMIT_PER_MINUTE: String(LIMIT) });
  return (await make(service)).at(other);
};

async function useUp(caller: Caller): Promise<number> {
  let passed = 0;
  while (passed <= LIMIT && (await caller.get('/api/auth/me')).status === 200) passed++;
  return passed;
}

it('a key has so many requests a minute, and is told when to come back', async () => {
  const editor = await limited(asEditor);
  expect(await useUp(editor)).toBe(LIMIT);
  const answer = await editor.get('/api/projects');
  expect(answer).toMatchObject(tooMany);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
  expect((await editor.at(service).get('/api/projects')).status).toBe(200);
});

it('so has a session, apart from others', async () => {
  const session = await limited((of) => asSession(of, 'Viewer'));
  expect(await useUp(session)).toBe(LIMIT);
  expect((await service.owner.at(session.service).get('/api/auth/me')).status).toBe(200);
});

it('heartbeats, turns and MCP are not counted', async () => {
  const agent = await limited(asAgent);
  await useUp(agent);
  expect(await agent.get('/api/auth/me')).toMatchObject(tooMany);
  expect((await agent.post('/api/agents/me/heartbeat')).status).toBe(200);
  expect((await agent.post('/api/agents/me/turns')).status).toBe(200);
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const headers = { accept: 'application/json, text/event-stream' };
  expect((await agent.unchecked().post('/mcp', ping, { headers })).status).not.toBe(429);
});

inFull('heartbeats and turns have a limit of how many at once, each key its own', async () => {
  const agent = await asAgent(service);
  const rest = new AbortController();
  // On a busy host some are not let in before their time is out.
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

/** The body is begun, and never comes to its end. */
function heartbeatWithoutEnd(agent: Caller, signal: AbortSignal): Promise<unknown> {
  const rawBody = new PassThrough();
  rawBody.on('error', () => undefined).write('{');
  const headers = { 'content-type': 'application/json' };
  return agent.open('POST', '/api/agents/me/heartbeat', { rawBody, headers, signal });
}
