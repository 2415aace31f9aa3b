import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProject, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { DatabaseProxy } from '../../support/database-proxy.js';
import { postgresTools } from '../../support/debian-postgres.js';
import { MarkedServers } from '../../support/marked-servers.js';
import { ReplicatedPostgres } from '../../support/replicated-postgres.js';
import { startService, type Service } from '../../support/service.js';
import { lengthOf, SteadyLoad } from '../../support/steady-load.js';
import { hasTopology, Topology } from '../../support/topology.js';
import { clientKinds, closeClients } from '../gateway/mcp-clients.js';
import { grant, installed } from '../gateway/mcp-setting.js';

/** More of them are a drill: `FAILOVERS=50`. */
const ROUNDS = Number(process.env['FAILOVERS'] ?? 3);
/** Far below the 60 s after which MCP clients give up by themselves. */
const LONGEST_MS = 30_000;
const tools = postgresTools();
const isPossible = process.env['TEST_SIZE'] === 'full' && tools !== null && hasTopology();
const inFull = isPossible ? describe : describe.skip;
if (!isPossible)
  console.warn('Tools hosts at a failover: runs with TEST_SIZE=full, PostgreSQL with its tools, and nginx.');

inFull('two api, two tools and one worker process, whose database fails over', () => {
  const servers = new MarkedServers();
  const load = new SteadyLoad();
  let postgres: ReplicatedPostgres;
  let name: DatabaseProxy;
  let first: Service;
  let topology: Topology<Service>;
  let editor: Caller;
  let agents: Caller[];
  let project: Project;
  beforeAll(async () => {
    postgres = await ReplicatedPostgres.start(tools!);
    await postgres.createDatabase('work');
    name = await DatabaseProxy.before(postgres.urlOf('work'));
    const settings = { CATALOG_DIRS: servers.catalog.folder, TRUSTED_PROXIES: '127.0.0.1', ROLE: 'api' };
    first = await startService({ ownProcess: true, settings, database: { url: name.url } });
    topology = await Topology.around(first);
    editor = (await asEditor(first)).at(topology.front);
    agents = [await asAgent(first), await asAgent(first)].map((agent) => agent.at(topology.front));
    project = await aProject(editor);
  }, 120_000);
  afterAll(async () => {
    await closeClients();
    await servers.stop();
    await topology?.stop();
    await first?.remove();
    await name?.stop();
    await postgres?.remove();
    servers.remove();
  });

  it(
    'each client goes on, no call is made twice, and no server has two processes',
    async () => {
      for (const id of ['shared', 'own']) {
        const server = await installed(first, id);
        for (const agent of agents) await grant(first, server, agent);
        for (const kind of clientKinds)
          for (const agent of agents) await load.addMcp(agent, kind, `${server.slug}__work`, 50);
      }
      load.addRest(editor.unchecked(), agents[0]!.unchecked(), project);
      servers.watch();
      const figures: string[] = [];
      for (let round = 1; round <= ROUNDS; round += 1) {
        const begun = performance.now();
        await load.goesOnSince(begun);
        await postgres.killPrimary();
        await postgres.promote();
        const promoted = performance.now();
        name.moveTo(postgres.urlOf('work'));
        await load.goesOnSince(promoted);
        await postgres.addReplica();
        const [longest] = load.slowestSince(begun);
        figures.push(
          `${round}: without a success for ${load.longestGapSince(begun)}; ` +
            `the longest request ${Math.round(lengthOf(longest!))} ms (${longest!.by}: ${longest!.failure.slice(0, 60) || 'succeeded'})`,
        );
      }
      await load.end();
      const kinds = new Map<string, number>();
      for (const { failure } of load.failures) {
        const kind = failure.replace(/[0-9a-f-]{36}/g, '…').slice(0, 120);
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
      console.log(
        `${load.sent.length} requests. Each failover, and its addition of a replica:\n${figures.join('\n')}`,
        kinds,
      );
      expect(load.slowestSince(0).filter((one) => lengthOf(one) > LONGEST_MS)).toEqual([]);
      // nginx leaves no process out because it says that the database is away.
      expect(load.failures.filter(({ failure }) => failure.includes('Bad Gateway'))).toEqual([]);
      const made = servers.calls(topology.hosts.map(({ dataDir }) => dataDir));
      expect(made.filter((mark, at) => made.indexOf(mark) !== at)).toEqual([]);
      expect(servers.twice).toEqual([]);
    },
    120_000 + ROUNDS * 60_000,
  );
});
