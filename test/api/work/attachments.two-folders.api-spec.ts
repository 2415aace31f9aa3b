import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { useService } from '../../support/service.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';

const service = useService({ ownProcess: true });
let folder = '';
const started: ServiceProcess[] = [];
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'awp-two-folders-'))));
afterAll(async () => {
  for (const process of started) await process.end();
  await rm(folder, { recursive: true, force: true });
});

/** Starts another process on the database of the service. */
async function besides(dataDir: string, settings: Record<string, string> = {}): Promise<ServiceProcess> {
  const process = new ServiceProcess({
    DATABASE_URL: service.databaseUrl,
    DATA_DIR: dataDir,
    ENCRYPTION_KEYRING_FILE: join(service.dataDir, 'keyring.json'),
    ...settings,
  });
  started.push(process);
  await process.ready();
  return process;
}

const WARNING = 'Attachments are kept in two places';
const warningsIn = (log: string) => log.split('\n').filter((line) => line.includes(WARNING));

it('two live processes on one database whose attachments lie in different folders warn of each other', async () => {
  // The same folder under another path is no second store.
  const same = join(folder, 'same');
  await symlink(service.dataDir, same);
  const twin = await besides(same);
  const other = await besides(join(folder, 'other'));
  const [here, there] = [service.dataDir, join(folder, 'other')].map((dir) => join(dir, 'attachments'));
  await until(() => warningsIn(service.log).length > 0 && warningsIn(other.log).length > 0);
  await until(() => warningsIn(twin.log).length > 0);
  for (const log of [service.log, other.log]) {
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
  const tools = await besides(join(folder, 'tools'), { ROLE: 'tools', TOOLS_LISTEN: '127.0.0.1:0' });
  // By its own word it has begun; a notification of it would have come before that of another process.
  const third = await besides(join(folder, 'third'));
  await until(() => warningsIn(service.log).length > 1);
  expect(warningsIn(tools.log)).toEqual([]);
  for (const log of [service.log, third.log]) expect(log).not.toContain(join(folder, 'tools', 'attachments'));
});
