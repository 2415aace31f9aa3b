import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Service, useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const service = useService();
let folder = '';
let [twin, tools, other]: Service[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awp-two-folders-'));
  // The same folder under another path is no second store.
  const same = join(folder, 'same');
  await symlink(service.dataDir, same);
  twin = await service.second({ DATA_DIR: same });
  tools = await service.second({
    DATA_DIR: join(folder, 'tools'),
    ROLE: 'tools',
    TOOLS_LISTEN: '127.0.0.1:0',
  });
  // By its own word it has begun; what it said of itself came before what the last one says.
  other = await service.second({ DATA_DIR: join(folder, 'other') });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const WARNING = 'Attachments are kept in two places';
const warningsIn = (log: string) => log.split('\n').filter((line) => line.includes(WARNING));

it('two live processes on one database whose attachments lie in different folders warn of each other', async () => {
  const [here, there] = [service.dataDir, join(folder, 'other')].map((dir) => join(dir, 'attachments'));
  await until(() => [service, twin, other].every((one) => warningsIn(one!.log).length > 0));
  for (const log of [service.log, other!.log]) {
    expect(warningsIn(log)).toHaveLength(1);
    expect(JSON.parse(warningsIn(log)[0]!)).toMatchObject({
      level: 'warn',
      msg: expect.stringMatching(/ATTACHMENT_STORE=s3\.$/),
    });
    expect(warningsIn(log)[0]).toContain(there);
  }
  expect(warningsIn(service.log)[0]).toContain(here);
});

it('a tools host, which keeps no attachments, is not compared', async () => {
  await until(() => [service, other].every((one) => warningsIn(one!.log).length > 0));
  expect(warningsIn(tools!.log)).toEqual([]);
  for (const { log } of [service, other!]) expect(log).not.toContain(join(folder, 'tools', 'attachments'));
});
