import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProject } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { Families } from '../../support/families.js';
import { Following } from '../../support/following.js';
import { Load } from '../../support/load.js';
import { hasNginx, Nginx } from '../../support/nginx.js';
import { alive } from '../../support/relatives.js';
import { startService, type Service } from '../../support/service.js';
import { expectAllTold } from '../../support/told-events.js';
import { until } from '../../support/until.js';

const ROUNDS = process.env['TEST_SIZE'] === 'full' ? 20 : 1;
const behindNginx = hasNginx ? describe : describe.skip;

behindNginx('two processes behind nginx, of which one or the other is killed under load', () => {
  const families = new Families();
  let services: [Service, Service];
  let nginx: Nginx;
  let editor: Caller;
  let agent: Caller;
  let onlooker: Caller;
  let load: Load | null = null;
  let reader: Following | null = null;
  beforeAll(async () => {
    // A lease that ran out would rightly be taken over: here each issue is handed out once.
    const settings = {
      TRUSTED_PROXIES: '127.0.0.1',
      CATALOG_DIRS: families.catalog.folder,
      LEASE_SECONDS: '3600',
    };
    const first = await startService({ settings });
    services = [first, await first.second()];
    await families.installAt(first);
    nginx = await Nginx.before(...services);
    const through = nginx.in(first);
    editor = (await asEditor(first)).at(through);
    onlooker = editor.at(services[1]);
    agent = (await asAgent(first, { maxConcurrentIssues: 1000 })).at(through);
  });
  afterAll(async () => {
    await load?.abandon();
    await reader?.stop();
    await nginx?.stop();
    await services?.[0].remove();
    families.catalog.remove();
  });

  it(
    'lose nothing that was acknowledged, hand no issue out twice, leave no process behind, and no reader misses or repeats an event',
    async () => {
      const project = await aProject(editor);
      const following = (reader = await Following.begin(editor.unchecked()));
      load = Load.begin(services[0], [{ editor, agent }], project);
      for (let round = 0; round < ROUNDS; round++) {
        await load.goesOn();
        await killAndStart(services[round % 2]!, families);
      }
      await load.goesOn();
      await load.end();

      const subjects = await expectAllTold(following, services[0], project);
      await load.expectKept();
      expect(subjects('issue.created').toSorted()).toEqual(load.made.toSorted());
      expect(new Set(subjects('issue.picked_up')).size).toBe(subjects('issue.picked_up').length);
      expect(new Set(load.pickedUp).size).toBe(load.pickedUp.length);
      expect((await onlooker.get('/api/auth/me')).status).toBe(200);
    },
    120_000 + ROUNDS * 60_000,
  );

  it('leave none of their servers behind when they are told to end', async () => {
    for (const service of services) await families.at(service);
    await Promise.all(services.map((service) => service.stop()));
    expect(families.left()).toEqual([]);
  });
});

/** All that the killed one had started is gone before it starts again. */
async function killAndStart(service: Service, families: Families): Promise<void> {
  const relatives = await families.at(service);
  const { port } = new URL(service.baseUrl);
  await service.kill();
  await until(() => alive(relatives).length === 0);
  await service.start({ PORT: port });
}
