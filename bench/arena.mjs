// One seeded PostgreSQL, and the service and its ceiling as two processes on it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { startEmbeddedPostgres } from '../dist/src/platform/embedded-postgres/embedded-postgres.js';
import { migrate } from '../dist/src/platform/database/migrate.js';
import { inRoot } from '../scripts/paths.mjs';
import { seed } from './seed.mjs';
import { serviceFlags } from './service-flags.mjs';

const OWNER_KEY = 'bench-owner-key-0123456789-0123456789-0123456789';

export async function openArena({ issues }) {
  const folder = await mkdtemp(join(tmpdir(), 'awp-bench-'));
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    log: () => undefined,
    onExit: () => undefined,
  });
  await migrate(postgres.url);
  const settings = {
    ...process.env,
    DATABASE_URL: postgres.url,
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_MINUTE: '0',
    BOOTSTRAP_OWNER_API_KEY: OWNER_KEY,
  };
  const service = await start(inRoot('dist/src/main.js'), settings, serviceFlags);
  const client = new pg.Client(postgres.url);
  await client.connect();
  console.log(`Filling the database with ${issues} issues …`);
  const seeded = await seed(client, issues);
  const ceiling = await start(inRoot('bench/ceiling.mjs'), settings);
  return {
    service,
    ceiling,
    client,
    ...seeded,
    ownerKey: OWNER_KEY,
    async close() {
      await client.end();
      for (const { child } of [service, ceiling]) {
        child.kill('SIGTERM');
        if (child.exitCode === null) await once(child, 'exit');
      }
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function start(file, env, flags = []) {
  const child = spawn(process.execPath, [...flags, file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const ready = / ready at (\S+)/.exec(line);
    if (!ready) continue;
    child.stdout.resume();
    return { child, url: ready[1] };
  }
  throw new Error(`${file} did not start`);
}
