import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useService } from '../../support/service.js';
import { LocalCatalog } from './local-catalog.js';
import { aServer, pathOf, processesNaming, tryOut, type Installed } from './servers.js';

// Checks that no process of a disabled or deleted server survives, including servers that ignore signals and their
// descendants. processes/survivors.api-spec.ts checks stop, shutdown and kill -9.
const KINDS = ['polite', 'stubborn', 'grandchild', 'daemon', 'double fork', 'crash loop'];
const napOf = (kind: string) => String(910_000_000 + KINDS.indexOf(kind) * 1_000 + (process.pid % 1_000));
const catalog = new LocalCatalog();
for (const kind of KINDS) catalog.stdio(idOf(kind), ['process-tree.mjs', kind, napOf(kind)]);
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(() => catalog.remove());

/** Milliseconds (contract §3.3). For a server that ignores every signal the escalation alone takes five seconds. */
const LIMIT_MS = 6_000;

describe.each([
  ['disabled', (path: string) => service.owner.post(`${path}/disable`)],
  ['deleted', (path: string) => service.owner.delete(path)],
])('a server that is %s', (_, act) => {
  const servers: Installed[] = [];
  const took: number[] = [];
  beforeAll(async () => {
    for (const kind of KINDS) servers.push(await aServer(service.owner, idOf(kind)));
    for (const server of servers) expect(await tryOut(service.owner, server, 'ready')).toBe('ready');
    expect(processesNaming(napOf('stubborn'))).not.toEqual([]);
    await Promise.all(
      servers.map(async (server) => {
        const begun = performance.now();
        expect((await act(pathOf(server))).status).toBe(204);
        took.push(performance.now() - begun);
      }),
    );
  });

  it.each(KINDS)('and of the kind %s leaves no process behind when the answer has come', (kind) => {
    expect(processesNaming(napOf(kind))).toEqual([]);
  });

  it('ends in time, whatever signals it ignores', () => {
    expect(took).toHaveLength(KINDS.length);
    // Allows for a loaded machine.
    expect(Math.max(...took)).toBeLessThan(LIMIT_MS * 2);
  });
});

it('removes the folder of a deleted server and keeps that of a disabled one', async () => {
  const { body } = await service.owner.get<Installed[]>('/api/mcp/installed');
  expect(body).toHaveLength(KINDS.length);
  expect(readdirSync(join(service.dataDir, 'mcp/servers')).toSorted()).toEqual(
    body.map(({ id }) => id).toSorted(),
  );
});

function idOf(kind: string): string {
  return kind.replace(' ', '-');
}
