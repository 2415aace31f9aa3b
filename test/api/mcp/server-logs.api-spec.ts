import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ServerLogResponse } from '../../../src/mcp/installed-servers/installed-server.dto.js';
import { canary } from '../../support/canary.js';
import { type Service, startService } from '../../support/service.js';
import { until } from '../../support/until.js';
import type { Wire } from '../../support/wire.js';
import { LocalCatalog } from './local-catalog.js';
import { aServer, pathOf, tryOut, verify } from './servers.js';

type Line = Wire<ServerLogResponse>['lines'][number];

const catalog = new LocalCatalog()
  .stdio('talking', ['misbehaving.mjs', 'stderr-flood'])
  .stdio('elsewhere', ['misbehaving.mjs', 'says-elsewhere'], {
    variables: [{ name: 'KEY', isSecret: true }],
  })
  .stdio('exits', ['misbehaving.mjs', 'exit-at-once'], {
    variables: [{ name: 'KEY', isSecret: true }],
  });
let services: [Service, Service];
beforeAll(async () => {
  const first = await startService({ settings: { CATALOG_DIRS: catalog.folder } });
  services = [first, await first.second()];
});
afterAll(async () => {
  await services?.[0].remove();
  catalog.remove();
});

const linesAt = async (service: Service, server: { id: string }): Promise<Line[]> =>
  (await services[0].owner.at(service).get<Wire<ServerLogResponse>>(`${pathOf(server)}/logs`)).body.lines;
const processesOf = (lines: Line[]) => new Set(lines.map(({ process }) => process));

it('merges the lines of the servers of both processes, each with its process, in the order of time', async () => {
  const server = await aServer(services[0].owner, 'talking');
  for (const service of services) await tryOut(services[0].owner.at(service), server, 'flood', { bytes: 0 });
  for (const service of services) {
    const lines = await until(async () => {
      const found = await linesAt(service, server);
      return processesOf(found).size === 2 ? found : null;
    });
    expect(lines.filter(({ text }) => text === 'the end of the flood')).toHaveLength(2);
    const times = lines.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
  }
});

it('has the log notifications of a server, and what it writes to stdout beside its messages, masked', async () => {
  const secret = canary('a key in the log');
  const { owner } = services[0];
  const server = await aServer(owner, 'elsewhere', { envValues: { KEY: secret } });
  const { body: verified } = await verify(owner, server);
  expect(verified.warnings).toEqual([
    {
      subject: 'stdout',
      message: expect.stringMatching(/wrote 2 lines to stdout.*Listening with \[secret\]$/),
    },
  ]);
  await tryOut(owner, server, 'log', { long: 12 });
  await tryOut(owner, server, 'leave').catch(() => undefined);
  const said = await until(async () => {
    const texts = (await linesAt(services[0], server)).map(({ text }) => text);
    return texts.some((text) => text.includes('no end of')) ? texts : null;
  });
  expect(said).toEqual(
    expect.arrayContaining([
      '[stdout] Listening with [secret]',
      '[stdout] {"level":30,"msg":"ready"}',
      '[warning] store: {"KEY":"[secret]","given":{"long":12},"id":1}',
      '[stdout, without the end of a line] no end of …',
    ]),
  );
});

it('shows a failed verification of the other process, masked, and publishes no line twice', async () => {
  const secret = canary('a key of this server');
  const server = await aServer(services[0].owner, 'exits', { envValues: { KEY: secret } });
  const saying = (lines: Line[]) => lines.filter(({ text }) => text.includes('I cannot work like this'));
  // The server is started once per protocol era, and says it each time.
  await verify(services[0].owner, server);
  // A process that has no servers reads what the others have stored.
  const own = await until(async () => {
    const lines = saying(await linesAt(services[0], server));
    return lines.length > 0 ? lines : null;
  });
  await until(async () => saying(await linesAt(services[1], server)).length >= own.length);
  expect(saying(await linesAt(services[1], server))).toEqual(own);
  await verify(services[0].owner.at(services[1]), server);
  const both = saying(await linesAt(services[1], server));
  await until(async () => saying(await linesAt(services[0], server)).length >= both.length);
  expect(saying(await linesAt(services[0], server))).toEqual(both);
  const [stored] = await services[0].sql<{ text: string; n: number }>(
    `SELECT string_agg(lines::text, '') AS text, count(DISTINCT process)::int AS n FROM server_log_lines WHERE server_id = $1`,
    [server.id],
  );
  expect(stored).toMatchObject({ n: 2, text: expect.not.stringContaining(secret) });
  expect((await services[0].owner.delete(pathOf(server))).status).toBe(204);
  expect(await services[0].sql('SELECT 1 FROM server_log_lines WHERE server_id = $1', [server.id])).toEqual(
    [],
  );
});

it('keeps what a flood leaves within bounds', async () => {
  const server = await aServer(services[0].owner, 'talking');
  for (let round = 0; round < 3; round += 1)
    await tryOut(services[0].owner, server, 'flood', { bytes: 1_048_576 });
  await until(async () =>
    (await linesAt(services[1], server)).some(({ text }) => text === 'the end of the flood'),
  );
  const [held] = await services[0].sql<{ bytes: number }>(
    'SELECT sum(octet_length(lines::text))::int AS bytes FROM server_log_lines WHERE server_id = $1',
    [server.id],
  );
  expect(held!.bytes).toBeLessThanOrEqual(128 * 1024);
});
