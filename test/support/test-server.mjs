import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDataDir } from '../../dist/src/platform/database/embedded/data-dir-lock.js';
import { startEmbeddedPostgres } from '../../dist/src/platform/database/embedded/embedded-postgres.js';

const prefix = 'awp-test-server-';
/**
 * A test's server may lose everything in a power failure, and is faster for it. It is on TCP, which tests can put a
 * proxy before, and keeps its log for a while: tests look through it for secrets.
 */
const settings = {
  listen_addresses: '127.0.0.1',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_keep_size: '512MB',
};

/** An embedded server in a folder of its own. Ends those of runs that were killed. */
export async function startTestServer() {
  await sweep();
  const dataDir = await mkdtemp(join(tmpdir(), prefix));
  const lock = await lockDataDir(dataDir);
  const server = await start(dataDir);
  return {
    url: server.url,
    log: join(dataDir, 'postgres', 'pg_wal'),
    async stop() {
      await server.stop();
      await lock.release();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function start(dataDir) {
  return startEmbeddedPostgres({
    dataDir,
    settings,
    log: () => undefined,
    onExit: (reason) => console.error(`The tests' PostgreSQL died: ${reason}`),
  });
}

async function sweep() {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    // One that is in use, or belongs to another user, stays.
    await sweepOne(join(tmpdir(), name)).catch(() => undefined);
  }
}

/** A folder that was never locked may belong to a run that has made it this moment. */
async function sweepOne(dataDir) {
  if (!readdirSync(dataDir).some((entry) => entry.startsWith('service.lock.'))) return;
  const lock = await lockDataDir(dataDir);
  if (existsSync(join(dataDir, 'postgres', 'postmaster.pid'))) await (await start(dataDir)).stop();
  await lock.release();
  await rm(dataDir, { recursive: true, force: true });
}
