import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createdBy } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import { alive, descendantsOf } from '../../support/descendants.js';
import { startService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { processesNaming } from '../mcp/servers.js';
import { grant, installed, type Installed } from './mcp-setting.js';
import { modern } from './wire-call.js';

const ROUNDS = process.env['TEST_SIZE'] === 'full' ? 20 : 1;
const MARK = `tools-hosts-${process.pid}`;
const TOOLS = { ROLE: 'tools', TOOLS_LISTEN: '127.0.0.1:0' };
/** The tools hosts are signalled and measured; the others need no process of their own. */
const HOSTED = { ownProcess: false };

const catalog = new LocalCatalog()
  .stdio('shared', ['misbehaving.mjs', 'polite', `${MARK}-shared`])
  .stdio('sets', ['misbehaving.mjs', 'polite', `${MARK}-sets`])
  .stdio('own', ['misbehaving.mjs', 'polite', `${MARK}-own`], { manifest: { sharing: 'agent' } });

let api: Service;
let hosts: Service[];
let shared: Installed;
let agents: Caller[];
beforeAll(async () => {
  api = await startService({ ownProcess: true, settings: { ROLE: 'api', CATALOG_DIRS: catalog.folder } });
  hosts = await Promise.all([api.second(TOOLS), api.second(TOOLS), api.second({ ROLE: 'worker' }, HOSTED)]);
  hosts.pop();
  shared = await installed(api, 'shared');
  agents = await Promise.all([asAgent(api), asAgent(api), asAgent(api), asAgent(api)]);
  for (const agent of agents) await grant(api, shared, agent);
}, 120_000);
afterAll(async () => {
  await api?.remove();
  catalog.remove();
});

/** Calls a tool, and returns the text of its result. */
async function call(agent: Caller, server: Installed, tool: string, given: object = {}): Promise<string> {
  const name = `${server.slug}__${tool}`;
  const { message } = await modern(agent, 'tools/call', { name, arguments: given });
  const { content, isError } = message.result as unknown as {
    content: { text: string }[];
    isError?: boolean;
  };
  return `${isError ? 'error: ' : ''}${content[0]!.text}`;
}

const echo = (agent: Caller, server = shared) => call(agent, server, 'echo', { a: 1 });
const ECHOED = '{"a":1}';

/** The processes of a service process whose command has this mark. */
const marked = (service: Service, kind: string) =>
  descendantsOf(service.pid).filter(({ command }) => command.includes(`${MARK}-${kind}`));
/** The places of the hosts that run a server. */
const running = (kind = 'shared') => [0, 1].filter((at) => marked(hosts[at]!, kind).length > 0);
/** How many calls run at a host. */
async function callsAt(host: Service): Promise<number> {
  const { text } = await host.owner.get('/metrics');
  return Number(/^awp_mcp_calls_in_flight (\d+)$/m.exec(text)?.[1]);
}

/**
 * Begins a call that lasts, and returns it with the host that runs it, and the place of the other one. The host of a call is
 * known only while it runs: a host that has started again may get the server.
 */
async function lasting(ms: number): Promise<{ result: Promise<string>; host: Service; other: number }> {
  const result = call(agents[0]!, shared, 'wait', { ms });
  const { at } = await until(async () => {
    const place = (await Promise.all(hosts.map(callsAt))).indexOf(1);
    // A call also waits at its host until the other host has ended the process.
    return running().join() === String(place) ? { at: place } : null;
  });
  return { result, host: hosts[at]!, other: 1 - at };
}

/** Opens a connection to a host, and returns what it sends before it closes the connection. */
function said(service: Service, bytes: string): Promise<string> {
  const port = Number(/this tools host: .*:(\d+)/.exec(service.log)?.[1]);
  return new Promise((resolve) => {
    let text = '';
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('error', () => undefined).on('close', () => resolve(text));
  });
}

describe('with one api, two tools and one worker process', () => {
  it('a tools host answers the probes and nothing else', async () => {
    const caller = hosts[0]!.owner.unchecked();
    const { body } = await caller.get<{ checks: object }>('/readyz');
    expect(Object.keys(body.checks)).toEqual(['database', 'keyRing', 'sandbox']);
    expect((await caller.get('/api/auth/me')).status).toBe(404);
  });

  it('servers run on tools hosts, and none in the process that takes the calls', async () => {
    expect(await echo(agents[0]!)).toBe(ECHOED);
    expect(running()).toHaveLength(1);
    expect(marked(api, 'shared')).toEqual([]);
  });

  it('a shared server has one process for all agents and all api processes', async () => {
    const second = await api.second({ ROLE: 'api' }, HOSTED);
    const callers = [...agents, ...agents.map((agent) => agent.at(second))];
    const pids = await Promise.all(callers.map((agent) => call(agent, shared, 'pid')));
    expect(new Set(pids).size).toBe(1);
    expect(running()).toHaveLength(1);
    await second.stop();
  });

  it('a server with a process per agent has one for each, and several hosts share them', async () => {
    const own = await installed(api, 'own');
    const many = await Promise.all(Array.from({ length: 8 }, () => asAgent(api)));
    for (const agent of many) await grant(api, own, agent);
    const answers = await Promise.all(many.map((agent) => echo(agent, own)));
    expect(answers).toEqual(many.map(() => ECHOED));
    await api.owner.post(`/api/mcp/installed/${own.id}/disable`);
    expect(processesNaming(`${MARK}-own`)).toEqual([]);
  });

  it('each credential set of a shared server has one process on all hosts together', async () => {
    const server = await installed(api, 'sets');
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) =>
        createdBy(api.owner, `/api/mcp/installed/${server.id}/credential-sets`, { name }),
      ),
    );
    const callers = await Promise.all(
      ['a', 'b', 'c', 'd', 'a', 'b', 'c', 'd'].map(async (credentialSet) => {
        const agent = await asAgent(api);
        const entries = [{ agentId: agent.id, granted: true, credentialSet }];
        await api.owner.put(`/api/mcp/installed/${server.id}/access`, { entries });
        return agent;
      }),
    );
    const second = await api.second({ ROLE: 'api' }, HOSTED);
    const pidsAt = (at: Service) => Promise.all(callers.map((agent) => call(agent.at(at), server, 'pid')));
    const [first, other] = await Promise.all([pidsAt(api), pidsAt(second)]);
    expect(other).toEqual(first);
    expect(new Set(first).size).toBe(4);
    expect(first.slice(4)).toEqual(first.slice(0, 4));
    const before = processesNaming(`${MARK}-sets`).length;
    const path = `/api/mcp/installed/${server.id}/credential-sets/a/revoke`;
    expect((await api.owner.post(path)).status).toBe(200);
    // In a sandbox a server has several processes.
    expect(processesNaming(`${MARK}-sets`)).toHaveLength((before / 4) * 3);
    expect(await call(callers[0]!.at(second), server, 'pid')).toMatch(/"a"/);
    expect((await pidsAt(api)).slice(1, 4)).toEqual(first.slice(1, 4));
    await second.stop();
    await api.owner.post(`/api/mcp/installed/${server.id}/disable`);
  });

  it('the runtimes are those of a tools host', async () => {
    const { body } = await api.owner.get<{ runtime: object }>('/api/mcp/runtime');
    expect(body).toMatchObject({ node: { detected: true } });
  });

  it('its internal endpoint answers nothing without the key of the installation', async () => {
    expect(await said(hosts[0]!, 'POST / HTTP/1.1\r\nHost: x\r\n\r\n')).not.toContain('HTTP');
    const stranger = await api.second({ ROLE: 'api', INTERNAL_KEY: 'k'.repeat(40) }, HOSTED);
    expect(await echo(agents[0]!.at(stranger))).toMatch(/^error: No tools host takes calls/);
    await stranger.stop();
    expect(await echo(agents[0]!)).toBe(ECHOED);
  });

  it(
    'a killed host fails the calls in flight, leaves no process, and the next call goes to the other host',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { result, host, other } = await lasting(60_000);
        const left = descendantsOf(host.pid);
        await host.kill();
        expect(await result).toMatch(/^error: .*lost before it responded/);
        expect(await echo(agents[1]!)).toBe(ECHOED);
        await until(() => alive(left).length === 0);
        expect(running()).toEqual([other]);
        await host.start(TOOLS);
      }
    },
    60_000 * ROUNDS,
  );

  it('a host that stands still loses its servers, and ends their processes once it goes on', async () => {
    const { result, host, other } = await lasting(60_000);
    process.kill(host.pid, 'SIGSTOP');
    try {
      expect(await result).toMatch(/^error: .*lost before it responded/);
      await until(async () => (await echo(agents[0]!)) === ECHOED);
      expect(running()).toHaveLength(2);
    } finally {
      process.kill(host.pid, 'SIGCONT');
    }
    await until(() => running().length === 1);
    expect(running()).toEqual([other]);
  });

  it('a host that ends hands its servers over without a failed call', async () => {
    const { result, host, other } = await lasting(3_000);
    const over = new AbortController();
    const answers = new Set<string>();
    const load = agents.map(async (agent) => {
      while (!over.signal.aborted) answers.add(await echo(agent));
    });
    expect(await host.stop()).toEqual({ code: 0, signal: null });
    over.abort();
    await Promise.all(load);
    expect(await result).toBe('waited');
    expect([...answers]).toEqual([ECHOED]);
    expect(running()).toEqual([other]);
  });
});
