import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProject } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { Following } from '../../support/following.js';
import { Load } from '../../support/load.js';
import { hasNginx, Nginx } from '../../support/nginx.js';
import { alive, relativesOf } from '../../support/relatives.js';
import { startService, type Service } from '../../support/service.js';
import { expectAllTold } from '../../support/told-events.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { aServer, processesNaming, tryOut, type Installed } from '../mcp/servers.js';

const ROUNDS = process.env['TEST_SIZE'] === 'full' ? 20 : 1;
/** By these its servers' processes are found again, wherever they went. */
const KINDS = { stubborn: '920000001', grandchild: '920000002', 'double fork': '920000003' };
const behindNginx = hasNginx ? describe : describe.skip;

behindNginx('two processes behind nginx, of which one or the other is killed under load', () => {
  const catalog = new LocalCatalog();
  let services: [Service, Service];
  let nginx: Nginx;
  let editor: Caller;
  let agent: Caller;
  let onlooker: Caller;
  let load: Load | null = null;
  let reader: Following | null = null;
  const servers: Installed[] = [];
  beforeAll(async () => {
    for (const [kind, nap] of Object.entries(KINDS))
      catalog.stdio(slugOf(kind), ['family.mjs', kind, mark(nap)]);
    // A lease that ran out would rightly be taken over: here each issue is handed out once.
    const settings = { TRUSTED_PROXIES: '127.0.0.1', CATALOG_DIRS: catalog.folder, LEASE_SECONDS: '3600' };
    const first = await startService({ settings });
    services = [first, await first.second()];
    for (const kind of Object.keys(KINDS)) servers.push(await aServer(first.owner, slugOf(kind)));
    nginx = await Nginx.before(...services);
    const through = nginx.in(first);
    editor = (await asEditor(first)).at(through);
    onlooker = editor.at(services[1]);
    agent = (await asAgent(first, { maxConcurrentIssues: 1000 })).at(through);
  }, 120_000);
  afterAll(async () => {
    await load?.abandon();
    await reader?.stop();
    await nginx?.stop();
    await services?.[0].remove();
    catalog.remove();
  });

  it(
    'lose nothing that was acknowledged, hand no issue out twice, leave no process behind, and no reader misses or repeats an event',
    async () => {
      const project = await aProject(editor);
      const following = (reader = await Following.begin(editor.unchecked()));
      load = Load.begin(services[0], [{ editor, agent }], project);
      for (let round = 0; round < ROUNDS; round++) {
        await load.goesOn();
        await killWithServers(services[round % 2]!, servers);
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
    for (const server of servers) await tryOut(services[0].owner, server, 'ready');
    expect(left()).not.toEqual([]);
    await Promise.all(services.map((service) => service.stop()));
    expect(left()).toEqual([]);
  });
});

/** The killed one has a process of each server, and all of these are gone before it starts again. */
async function killWithServers(service: Service, servers: Installed[]): Promise<void> {
  for (const server of servers) expect(await tryOut(service.owner, server, 'ready')).toBe('ready');
  const relatives = relativesOf(service.pid);
  for (const nap of Object.values(KINDS))
    expect(relatives.filter(({ command }) => command.includes(mark(nap)))).not.toEqual([]);
  const { port } = new URL(service.baseUrl);
  await service.kill();
  await until(() => alive(relatives).length === 0);
  await service.start({ PORT: port });
}

/** Of this run of the tests: others may go on beside it. */
function mark(nap: string): string {
  return `${nap}${process.pid}`;
}

function left(): string[] {
  return Object.values(KINDS).flatMap((nap) => processesNaming(mark(nap)));
}

function slugOf(kind: string): string {
  return kind.replace(' ', '-');
}
