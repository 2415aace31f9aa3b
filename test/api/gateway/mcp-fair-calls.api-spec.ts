import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asAgent } from '../../support/callers.js';
import type { Caller } from '../../support/caller.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { grant, installed, type Installed } from './mcp-setting.js';
import { modern } from './wire-call.js';

const catalog = new LocalCatalog()
  .stdio('hanging', ['misbehaving.mjs', 'silent-on-call'])
  .stdio('own', ['misbehaving.mjs', 'silent-on-call'], { manifest: { sharing: 'agent' } });
const service = useService({
  settings: {
    CATALOG_DIRS: catalog.folder,
    MCP_CALLS_TOTAL: '24',
    MCP_CALLS_PER_PROCESS: '4',
    MCP_MAX_PROCESSES: '8',
  },
});
afterAll(() => catalog.remove());

const callsOf = (agent: Caller) => (server: Installed, tool: string) =>
  modern(agent, 'tools/call', { name: `${server.slug}__${tool}`, arguments: { still: 'here' } });

describe('an agent whose calls hang', () => {
  let agent: Caller;
  let other: Caller;
  let servers: [Installed, Installed];
  const hanging: Promise<unknown>[] = [];
  beforeAll(async () => {
    [agent, other] = [await asAgent(service), await asAgent(service)];
    servers = [await installed(service, 'hanging'), await installed(service, 'hanging')];
    for (const server of servers) for (const one of [agent, other]) await grant(service, server, one);
    for (const [at, times] of [2, 1].entries())
      for (let n = 0; n < times; n += 1) hanging.push(callsOf(agent)(servers[at]!, 'silent'));
    await until(async () => (await running()) === 3);
  });
  // The servers end with the service, and the calls with them.
  afterAll(() => void Promise.allSettled(hanging));

  /** Returns how many calls run, as the metrics show it. */
  async function running(): Promise<number> {
    const { text } = await service.owner.get('/metrics');
    // Each process of a start has its own series.
    const series = text.matchAll(/^awp_mcp_calls_in_flight(?:{[^}]*})? (\d+)/gm);
    return [...series].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  it('is refused further ones with the number that run, by a reason that says whose they are', async () => {
    const { message } = await callsOf(agent)(servers[1], 'echo');
    expect(message.error).toMatchObject({
      code: -32_000,
      message: expect.stringMatching(/^3 of your own calls are running/),
      data: { reason: 'own_calls', retryAfterSeconds: 5 },
    });
  });

  it('leaves the tools of the same servers to other agents and to an admin', async () => {
    for (const server of servers) {
      const { message } = await callsOf(other)(server, 'echo');
      expect(message.result).toMatchObject({ content: [{ text: '{"still":"here"}' }] });
      const trial = await service.owner.post(`/api/mcp/installed/${server.id}/tools/echo/call`, {
        arguments: {},
      });
      expect(trial.body).toMatchObject({ isError: false });
    }
  });

  it('keeps the tools of the platform, and its lists of prompts and resources', async () => {
    const issues = await modern(agent, 'tools/call', { name: 'platform__my_issues', arguments: {} });
    expect(issues.message.result).not.toHaveProperty('isError', true);
    expect((await modern(agent, 'prompts/list')).message.result).toMatchObject({ prompts: [] });
  });
});
