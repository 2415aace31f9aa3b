import { expect, it } from '@jest/globals';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor, asSession } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';

/** Few enough to be used up, and enough to make the callers of one test. */
const LIMIT = 20;
const service = useService();
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
