import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { aProject, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { expectAllDelivered } from '../../support/delivered-events.js';
import { alive, descendantsOf } from '../../support/descendants.js';
import { MarkedServers } from '../../support/marked-servers.js';
import { ReconnectingReader } from '../../support/reconnecting-reader.js';
import { startService, type Service } from '../../support/service.js';
import { SteadyLoad } from '../../support/steady-load.js';
import { hasTopology, Topology } from '../../support/topology.js';
import { until } from '../../support/until.js';
import { clientKinds, closeClients } from '../gateway/mcp-clients.js';
import { grant, installed, type Installed } from '../gateway/mcp-setting.js';

const IS_FULL = process.env['TEST_SIZE'] === 'full';
const ROUNDS = 20;
/** How many of the processes restart: all of them. */
const RESTARTS = 5;
/** One that agents share, and one with a process for each agent. */
const SERVERS = ['shared', 'own'];
const inFull = IS_FULL && hasTopology() ? describe : describe.skip;
if (!IS_FULL || !hasTopology())
  console.warn('The topology: runs with TEST_SIZE=full, nginx, openssl and setpriv.');

inFull('two api, two tools and one worker process behind nginx', () => {
  const servers = new MarkedServers();
  let first: Service;
  let topology: Topology<Service>;
  let editor: Caller;
  let agents: Caller[];
  let installedServers: Installed[];
  beforeAll(async () => {
    const settings = {
      CATALOG_DIRS: servers.catalog.folder,
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'warn',
    };
    first = await startService({ ownProcess: true, settings: { ...settings, ROLE: 'api' } });
    topology = await Topology.around(first);
    editor = (await asEditor(first)).at(topology.front);
    agents = [await asAgent(first), await asAgent(first)].map((agent) => agent.at(topology.front));
    installedServers = await Promise.all(SERVERS.map((id) => installed(first, id)));
    for (const agent of agents) for (const server of installedServers) await grant(first, server, agent);
    servers.watch();
  }, 120_000);
  afterAll(async () => {
    await closeClients();
    await servers.stop();
    await topology?.stop();
    await first?.remove();
    servers.remove();
  });

  let load: SteadyLoad;
  let project: Project;
  beforeEach(async () => {
    load = new SteadyLoad();
    project = await aProject(editor);
  });

  /** Clients of both eras, of two agents. */
  async function addMcpClients(): Promise<void> {
    for (const kind of clientKinds)
      for (const agent of agents)
        for (const [at, server] of installedServers.entries())
          await load.addMcp(agent, kind, `${server.slug}__work`, at === 0 ? 100 : 0);
  }

  const goesOn = (since = performance.now()) => load.goesOnSince(since);
  /** The process of a tools host that runs most server processes. */
  const busiest = () =>
    topology.hosts.toSorted((a, b) => descendantsOf(b.pid).length - descendantsOf(a.pid).length)[0]!;

  it(
    'a killed tools host fails only the calls that it had; all others go on, and nothing is done or started twice',
    async () => {
      await addMcpClients();
      const nextAfter: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        await goesOn();
        const host = busiest();
        const left = descendantsOf(host.pid);
        const killed = performance.now();
        await host.kill();
        await goesOn(killed);
        nextAfter.push(...load.firstSince(killed).map((one) => Math.round(one!.endedAt - killed)));
        await until(() => alive(left).length === 0);
        await topology.startAgain(host);
      }
      await goesOn();
      // The look at the processes sees what there is to see: one shared, and one for each agent.
      expect(new Set(servers.processes().map((one) => one.of)).size).toBe(1 + agents.length);
      await load.end();
      console.log(
        `${load.sent.length} calls, ${load.failures.length} lost with their host in ${ROUNDS} rounds. The next call of each ` +
          `client had succeeded after ${Math.min(...nextAfter)} to ${Math.max(...nextAfter)} ms; ` +
          `${servers.looks} looks at the processes.`,
      );
      for (const { failure } of load.failures) expect(failure).toMatch(/lost before it responded/);
      const made = servers.calls(topology.hosts.map(({ dataDir }) => dataDir));
      expect(made.filter((mark, at) => made.indexOf(mark) !== at)).toEqual([]);
      const succeeded = load.sent.filter(({ failure }) => failure === '').map(({ mark }) => mark);
      expect(succeeded.filter((mark) => !made.includes(mark))).toEqual([]);
      expect(servers.twice).toEqual([]);
    },
    120_000 + ROUNDS * 60_000,
  );

  it('a host that stands still fails the calls that it has, and makes none of them once it goes on', async () => {
    await addMcpClients();
    const begun = performance.now();
    await goesOn();
    // After its first minute a process gets a call without a question to the process of the caller, which would hear of its end.
    await until(() => performance.now() - begun > 62_000, 120);
    const host = busiest();
    const stopped = performance.now();
    process.kill(host.pid, 'SIGSTOP');
    let reached: string[];
    try {
      await goesOn(stopped);
      reached = servers.calls([host.dataDir]);
    } finally {
      process.kill(host.pid, 'SIGCONT');
    }
    const nextAfter = load.firstSince(stopped).map((one) => Math.round(one!.endedAt - stopped));
    await load.end();
    console.log(
      `While a host stood still the next calls of the clients succeeded after ${nextAfter.join(', ')} ms.`,
    );
    for (const { failure } of load.failures) expect(failure).toMatch(/lost before it responded/);
    await until(() => servers.processes().length === 1 + agents.length);
    // Until here its processes lived on beside those that other hosts had started.
    servers.twice.splice(0);
    const failed = load.failures.map(({ mark }) => mark);
    const late = servers.calls([host.dataDir]).filter((mark) => !reached.includes(mark));
    expect(late.filter((mark) => failed.includes(mark))).toEqual([]);
  }, 240_000);

  it(`a restart of ${RESTARTS} of the processes, one after the other, fails no request and breaks no client`, async () => {
    const reader = await ReconnectingReader.begin(editor.unchecked());
    await addMcpClients();
    load.addRest(editor.unchecked(), agents[0]!.unchecked(), project);
    await goesOn();
    const seconds: string[] = [];
    for (const service of topology.all.slice(0, RESTARTS)) {
      const begun = performance.now();
      expect(await service.stop()).toEqual({ code: 0, signal: null });
      seconds.push(((performance.now() - begun) / 1000).toFixed(1));
      await topology.startAgain(service);
      await topology.isUsed(service);
      await goesOn();
    }
    await load.end();
    console.log(
      `${load.sent.length} requests during restarts. The processes ended in ${seconds.join(', ')} s.`,
    );
    expect(load.failures).toEqual([]);
    expect(servers.twice).toEqual([]);
    await expectAllDelivered(reader, first, project);
  }, 300_000);
});
