import { randomBytes, scrypt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServerDidNotStart, spawnServer } from './postgres-process.js';

let folder = '';
/** Whether Node's threads for files are kept busy, so that a file takes longer to close than a program to end. */
let busy = true;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awp-spawn-'));
  for (let thread = 0; thread < 8; thread++) keepBusy();
});
afterAll(async () => {
  busy = false;
  await rm(folder, { recursive: true, force: true });
});

describe('starting the server', () => {
  it('hears the end of a server that has ended before its log is closed', async () => {
    const starting = spawnServer(
      {
        dataDir: folder,
        clusterDir: join(folder, 'postgres'),
        logFile: join(folder, 'postgres.log'),
        binaries: { postgres: '/bin/false', initdb: '/bin/false' },
        account: { prefix: [], uid: 0, gid: 0, majorVersion: '18' },
      },
      { port: 1, settings: {}, signal: new AbortController().signal },
    );
    await expect(starting).rejects.toThrow(ServerDidNotStart);
    await expect(starting).rejects.toThrow('it ended with code 1');
  });
});

function keepBusy(): void {
  scrypt('password', randomBytes(16), 64, { N: 2 ** 14 }, () => {
    if (busy) keepBusy();
  });
}
