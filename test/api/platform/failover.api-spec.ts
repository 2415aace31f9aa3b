import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProject, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { DatabaseProxy } from '../../support/database-proxy.js';
import { postgresTools } from '../../support/debian-postgres.js';
import { expectAllDelivered } from '../../support/delivered-events.js';
import { Load } from '../../support/load.js';
import { ReconnectingReader } from '../../support/reconnecting-reader.js';
import { ReplicatedPostgres } from '../../support/replicated-postgres.js';
import { startService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';

const IS_FULL = process.env['TEST_SIZE'] === 'full';
const ROUNDS = IS_FULL ? 10 : 1;
const tools = postgresTools();
const withPostgres = tools === null ? describe.skip : describe;
if (tools === null) console.warn('Failover is not tested: this host has no PostgreSQL with its tools.');

withPostgres('two processes under one name of a database whose primary is killed', () => {
  let postgres: ReplicatedPostgres;
  let name: DatabaseProxy;
  let services: Service[] = [];
  let editor: Caller;
  let agent: Caller;
  let project: Project;
  let load: Load | null = null;
  let reader: ReconnectingReader | null = null;
  const readyAfter: number[] = [];
  beforeAll(async () => {
    postgres = await ReplicatedPostgres.start(tools!);
    await postgres.createDatabase('work');
    name = await DatabaseProxy.before(postgres.urlOf('work'));
    // A lease that ran out would correctly be taken over; here each issue must be handed out once.
    const first = await startService({
      ownProcess: true,
      database: { url: name.url },
      settings: { LEASE_SECONDS: '3600' },
    });
    services = [first, await first.second()];
    [editor, agent] = [await asEditor(first), await asAgent(first, { maxConcurrentIssues: 1000 })];
    project = await aProject(editor);
  });
  afterAll(async () => {
    if (IS_FULL) console.log(`Ready after the promotion: ${readyAfter.join(', ')} ms`);
    await load?.abandon();
    await reader?.stop();
    await services[0]?.remove();
    await name?.stop();
    await postgres?.remove();
  });

  it(
    'go on with the promoted replica: no acknowledged write is lost, and no issue is handed out twice',
    async () => {
      const pids = services.map(({ pid }) => pid);
      reader = await ReconnectingReader.begin(editor.unchecked());
      const doors = services.map((service) => ({ editor: editor.at(service), agent: agent.at(service) }));
      load = Load.begin(services[0]!, doors, project);
      for (let round = 0; round < ROUNDS; round += 1) {
        await load.goesOn();
        await postgres.killPrimary();
        await postgres.promote();
        const promoted = performance.now();
        name.moveTo(postgres.urlOf('work'));
        for (const service of services)
          await until(async () => (await editor.at(service).get('/readyz')).status === 200);
        readyAfter.push(Math.round(performance.now() - promoted));
        await load.goesOn();
        await postgres.addReplica();
      }
      await load.end();
      expect(services.map(({ pid }) => pid)).toEqual(pids);
      await load.expectKept();
      expect(new Set(load.pickedUp).size).toBe(load.pickedUp.length);
      await expectAllDelivered(reader, services[0]!, project);
    },
    120_000 + ROUNDS * 60_000,
  );
});
