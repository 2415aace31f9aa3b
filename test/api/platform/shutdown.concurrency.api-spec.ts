import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProject } from '../../support/builders.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { UnrulyServers } from '../../support/unruly-servers.js';
import { ReconnectingReader } from '../../support/reconnecting-reader.js';
import { Load } from '../../support/load.js';
import { alive } from '../../support/descendants.js';
import { startService, type Service } from '../../support/service.js';
import { expectAllDelivered } from '../../support/delivered-events.js';

const ROUNDS = process.env['TEST_SIZE'] === 'full' ? 20 : 1;

describe('SIGTERM under load', () => {
  const unruly = new UnrulyServers();
  let service: Service;
  let reader: ReconnectingReader | null = null;
  let load: Load | null = null;
  beforeAll(async () => {
    service = await startService({ ownProcess: true, settings: { CATALOG_DIRS: unruly.catalog.folder } });
    await unruly.installAt(service);
  });
  afterAll(async () => {
    await load?.abandon();
    await reader?.stop();
    await service?.remove();
    unruly.catalog.remove();
  });

  it(
    'ends the service in time with nothing lost and no process left, be its servers ever so stubborn',
    async () => {
      const editor = await asEditor(service);
      const agent = await asAgent(service, { maxConcurrentIssues: 1000 });
      const project = await aProject(editor);
      reader = await ReconnectingReader.begin(editor.unchecked());
      load = Load.begin(service, [{ editor, agent }], project);
      for (let round = 0; round < ROUNDS; round += 1) {
        await load.goesOn();
        const descendants = await unruly.at(service);
        const { port } = new URL(service.baseUrl);
        // A process that has not finished within the contract's 10 s ends with 1.
        expect(await service.stop()).toEqual({ code: 0, signal: null });
        expect([alive(descendants), unruly.left()]).toEqual([[], []]);
        await service.start({ PORT: port });
      }
      await load.goesOn();
      await load.end();
      await load.expectKept();
      await expectAllDelivered(reader, service, project);
    },
    120_000 + ROUNDS * 60_000,
  );
});
