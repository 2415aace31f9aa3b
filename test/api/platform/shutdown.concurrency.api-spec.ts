import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProject } from '../../support/builders.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { Families } from '../../support/families.js';
import { Following } from '../../support/following.js';
import { Load } from '../../support/load.js';
import { alive } from '../../support/relatives.js';
import { startService, type Service } from '../../support/service.js';
import { expectAllTold } from '../../support/told-events.js';

const ROUNDS = process.env['TEST_SIZE'] === 'full' ? 20 : 2;

describe('SIGTERM under load', () => {
  const families = new Families();
  let service: Service;
  let reader: Following | null = null;
  let load: Load | null = null;
  beforeAll(async () => {
    service = await startService({ settings: { CATALOG_DIRS: families.catalog.folder } });
    await families.installAt(service);
  });
  afterAll(async () => {
    await load?.abandon();
    await reader?.stop();
    await service?.remove();
    families.catalog.remove();
  });

  it(
    'ends the service in time with nothing lost and no process left, be its servers ever so stubborn',
    async () => {
      const editor = await asEditor(service);
      const agent = await asAgent(service, { maxConcurrentIssues: 1000 });
      const project = await aProject(editor);
      reader = await Following.begin(editor.unchecked());
      load = Load.begin(service, [{ editor, agent }], project);
      for (let round = 0; round < ROUNDS; round++) {
        await load.goesOn();
        const relatives = await families.at(service);
        const { port } = new URL(service.baseUrl);
        // One that is not done within the contract's 10 s ends itself with 1.
        expect(await service.stop()).toEqual({ code: 0, signal: null });
        expect([alive(relatives), families.left()]).toEqual([[], []]);
        await service.start({ PORT: port });
      }
      await load.goesOn();
      await load.end();
      await load.expectKept();
      await expectAllTold(reader, service, project);
    },
    120_000 + ROUNDS * 60_000,
  );
});
