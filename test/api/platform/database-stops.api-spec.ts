import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProject, anIssue, createdBy, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAdmin, asAgent, asEditor } from '../../support/callers.js';
import { DurablePostgres } from '../../support/durable-postgres.js';
import { expectAllDelivered } from '../../support/delivered-events.js';
import { Load } from '../../support/load.js';
import { OtlpCollector } from '../../support/otlp-collector.js';
import { ReconnectingReader } from '../../support/reconnecting-reader.js';
import { S3Server } from '../../support/s3-server.js';
import { startService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import { WebhookTarget } from '../../support/webhook-target.js';
import { grant, installed, type Installed } from '../gateway/mcp-setting.js';
import { modern } from '../gateway/wire-call.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { attachmentsOf, file, form } from '../work/attachments.forms.js';

/** As many moments as a run has time for: each run draws others. */
const STOPS = Number(process.env['TEST_STOPS'] ?? (process.env['TEST_SIZE'] === 'full' ? 30 : 12));
/** Repeats the moments of a failed run: TEST_SEED=… */
const SEED = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 31));
/** The longest time from the return of the database to its next stop. */
const LONGEST_MS = 400;
/** No process listens there: no system assigns this port by itself. */
const DOWN = '127.0.0.7:62082';

/** A generator of the numbers from 0 to 1 that follow from the seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('a database that stops again and again while everything is under way', () => {
  const catalog = new LocalCatalog().stdio('polite', ['misbehaving.mjs', 'polite']);
  const store = new S3Server();
  let postgres: DurablePostgres;
  let target: WebhookTarget;
  let collector: OtlpCollector;
  let service: Service;
  let editor: Caller;
  let agent: Caller;
  let server: Installed;
  let project: Project;
  let load: Load | null = null;
  let reader: ReconnectingReader | null = null;
  const ending = new AbortController();
  const loops: Promise<void>[] = [];
  const done = { uploads: 0, calls: 0 };

  beforeAll(async () => {
    [postgres, target, collector] = [
      await DurablePostgres.start(),
      await WebhookTarget.start(),
      await OtlpCollector.start(),
    ];
    await store.start();
    service = await startService({
      ownProcess: true,
      database: await postgres.createDatabase('stops'),
      settings: {
        ...store.settings,
        CATALOG_DIRS: catalog.folder,
        OUTBOUND_ALLOWED_HOSTS: [target.host, DOWN].join(','),
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      },
    });
    [editor, agent] = [await asEditor(service), await asAgent(service, { maxConcurrentIssues: 1000 })];
    server = await installed(service, 'polite');
    await grant(service, server, agent);
    project = await aProject(editor);
    const admin = await asAdmin(service);
    for (const url of [target.url, `http://${DOWN}/hook`])
      await createdBy(admin, '/api/webhooks', { url, projectId: project.id });
  });
  afterAll(async () => {
    ending.abort();
    await load?.abandon();
    await Promise.all(loops);
    await reader?.stop();
    await service?.remove();
    await postgres?.remove();
    await store.remove();
    await target?.stop();
    await collector?.stop();
    catalog.remove();
  });

  /** Repeats a step; a refusal or a lost connection is what an outage looks like to a client. */
  function keepUp(step: () => Promise<boolean>, count: () => void): void {
    const loop = async () => {
      while (!ending.signal.aborted) {
        if (await step().catch(() => false)) count();
        await pause(100);
      }
    };
    loops.push(loop());
  }

  async function beginTraffic(issue: Issue): Promise<void> {
    load = Load.begin(service, [{ editor, agent }], project);
    const [person, worker] = [editor.unchecked(), agent.unchecked()];
    keepUp(
      async () => (await person.request('POST', attachmentsOf(issue), form(file()))).status === 201,
      () => (done.uploads += 1),
    );
    const call = { name: `${server.slug}__echo`, arguments: {} };
    keepUp(
      async () => (await modern(worker, 'tools/call', call)).message.result?.isError === undefined,
      () => (done.calls += 1),
    );
  }

  /** Retries come after seconds. This makes them due at once. */
  async function expectDelivered(ids: string[]): Promise<void> {
    const received = () => new Set(target.received.map(({ event }) => `${event.type} ${event.subject.id}`));
    const missing = () => {
      const present = received();
      return ids.filter((id) => !present.has(`issue.created ${id}`));
    };
    await until(async () => {
      await service.sql('UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL');
      return missing().length === 0;
    }, 60).catch(() => undefined);
    expect(missing()).toEqual([]);
  }

  it(
    `never ends the process and loses no delivery, over ${STOPS} stops at moments of the seed ${SEED}`,
    async () => {
      console.log(`TEST_SEED=${SEED}`);
      const random = randomFrom(SEED);
      const { pid } = service;
      reader = await ReconnectingReader.begin(editor.unchecked());
      const issue = await anIssue(editor, project);
      await beginTraffic(issue);
      await load!.goesOn();
      for (let stop = 0; stop < STOPS; stop += 1) {
        await pause(random() * LONGEST_MS);
        const isStoreAway = random() < 0.2;
        if (isStoreAway) await store.stop();
        await (random() < 0.5 ? postgres.stopImmediately() : postgres.stopFast());
        // The rest goes on without a collector of traces.
        if (stop === Math.floor(STOPS / 2)) await collector.stop();
        await pause(random() * LONGEST_MS);
        if (isStoreAway) await store.start();
        await postgres.startAgain();
        expect((await editor.get('/livez')).status).toBe(200);
        if (random() < 0.3) await until(async () => (await editor.get('/readyz')).status === 200);
      }
      await until(async () => (await editor.get('/readyz')).status === 200);
      const before = { ...done };
      await load!.goesOn();
      await until(() => done.uploads > before.uploads && done.calls > before.calls);
      ending.abort();
      await Promise.all(loops);
      await load!.end();
      expect(service.pid).toBe(pid);
      const metrics = (await service.owner.unchecked().get('/metrics')).text;
      expect(metrics).toMatch(/^awp_unhandled_rejections_total 0$/m);
      load!.made.push(issue.id);
      await load!.expectKept();
      await expectDelivered(load!.made);
      await expectAllDelivered(reader!, service, project);
    },
    120_000 + STOPS * 20_000,
  );
});
