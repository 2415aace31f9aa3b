// One seeded PostgreSQL, and the service and its ceiling as processes on it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../dist/src/platform/embedded-postgres/embedded-postgres.js';
import { migrate } from '../dist/src/platform/database/migrate.js';
import { inRoot } from '../scripts/paths.mjs';
import { seed } from './seed.mjs';
import { serviceFlags } from './service-flags.mjs';

const OWNER_KEY = 'bench-owner-key-0123456789-0123456789-0123456789';

/** The processes of a service: one that does everything, or as docs/scaling.md divides its work. */
export const TOPOLOGIES = { one: ['all'], roles: ['api', 'api', 'tools', 'tools', 'worker'] };

/** @param options `processes`: those that answer requests, of the service and of the ceiling; `catalog`: a folder of entries of its own; `database`: settings of PostgreSQL; `fill`: writes rows before the service starts */
export async function openArena({ issues, topology = 'one', processes = 1, catalog, database = {}, fill }) {
  const folder = await mkdtemp(join(tmpdir(), 'awp-bench-'));
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    settings: database,
    log: () => undefined,
    onExit: () => undefined,
  });
  await migrate(postgres.url);
  const client = new pg.Client(postgres.url);
  await client.connect();
  await fill?.(client);
  const settings = {
    ...process.env,
    DATABASE_URL: postgres.url,
    PORT: '0',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_MINUTE: '0',
    BOOTSTRAP_OWNER_API_KEY: OWNER_KEY,
    ENCRYPTION_KEYRING_FILE: join(folder, 'keyring.json'),
    TOOLS_LISTEN: '127.0.0.1:0',
    PROCESSES: String(processes),
    ...(catalog && { CATALOG_DIRS: catalog }),
  };
  const services = [];
  // The first one creates the key ring and the Owner.
  for (const [at, ROLE] of TOPOLOGIES[topology].entries()) {
    const env = {
      ...settings,
      ROLE,
      ...(['tools', 'worker'].includes(ROLE) && { PROCESSES: '1' }),
      DATA_DIR: join(folder, `data-${at}`),
    };
    const service = await start(inRoot('dist/src/main.js'), env, serviceFlags);
    if (['all', 'api'].includes(ROLE)) await whole(service, processes);
    services.push({ role: ROLE, ...service });
  }
  console.log(`Filling the database with ${issues} issues …`);
  const seeded = await seed(client, issues);
  const ceiling = await start(inRoot('bench/ceiling.mjs'), { ...settings, DATA_DIR: join(folder, 'data-0') });
  return {
    service: services[0],
    services,
    ceiling,
    client,
    postgresPid: await postmasterOf(folder),
    settings: { ...settings, DATA_DIR: join(folder, 'data-0') },
    ...seeded,
    ownerKey: OWNER_KEY,
    async close() {
      await client.end();
      for (const { child } of [...services, ceiling]) {
        child.kill('SIGTERM');
        if (child.exitCode === null) await once(child, 'exit');
      }
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The process of PostgreSQL that is the parent of all of its connections. The service's role may not ask for it. */
async function postmasterOf(dataDir) {
  return Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]);
}

async function start(file, env, flags = []) {
  const child = spawn(process.execPath, [...flags, file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const ready = / ready at ([^\s"]+)/.exec(line);
    if (!ready) continue;
    child.stdout.resume();
    return { child, url: ready[1] };
  }
  throw new Error(`${file} did not start`);
}

/** Resolves when each process of a service is ready: some come after the start is (contract §9.5). */
async function whole({ url }, least) {
  if (least === 1) return;
  for (;;) {
    const answer = await fetch(`${url}/api/info`, { headers: { Authorization: `Bearer ${OWNER_KEY}` } });
    const { processes } = await answer.json();
    if (processes.length >= least && processes.every(({ state }) => state === 'ready')) return;
    await sleep(100);
  }
}
