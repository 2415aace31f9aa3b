import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDataDir } from '../../dist/src/platform/embedded-postgres/data-dir-lock-and-process-identity.js';
import { startEmbeddedPostgres } from '../../dist/src/platform/embedded-postgres/embedded-postgres.js';

const prefix = 'awp-test-server-';
/**
 * A test server may lose data in a power failure, which makes it faster. It listens on TCP, so that tests can put a proxy
 * in front of it, and it keeps its write-ahead log, which tests search for secrets.
 */
const settings = {
  listen_addresses: '127.0.0.1',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_keep_size: '512MB',
};

/** Starts an embedded server in its own folder. Ends the servers of test runs that were killed. */
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
    // A folder that is in use, or belongs to another user, stays: locking it fails.
    await sweepOne(join(tmpdir(), name)).catch(() => undefined);
  }
}

/** A folder that was never locked may belong to a run that has just created it. */
async function sweepOne(dataDir) {
  if (!readdirSync(dataDir).some((entry) => entry.startsWith('service.lock.'))) return;
  const lock = await lockDataDir(dataDir);
  if (existsSync(join(dataDir, 'postgres', 'postmaster.pid'))) await (await start(dataDir)).stop();
  await lock.release();
  await rm(dataDir, { recursive: true, force: true });
}
