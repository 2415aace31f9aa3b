import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).error === undefined;

/**
 * Starts PgBouncer in transaction mode before the server of an admin URL, for all its databases.
 * @returns `before(url)`, which leads the same URL through it, and `stop()`
 */
export async function startPgBouncer(adminUrl) {
  const folder = mkdtempSync(join(tmpdir(), 'awp-pgbouncer-'));
  const port = await freePort();
  writeFileSync(join(folder, 'pgbouncer.ini'), configuration(new URL(adminUrl), port, folder));
  // PgBouncer refuses to run as root.
  chmodSync(folder, 0o777);
  const asOther = process.getuid() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn('pgbouncer', [...asOther, join(folder, 'pgbouncer.ini')], { stdio: 'ignore' });
  const before = (url) => {
    const through = new URL(url);
    through.searchParams.delete('host');
    through.host = `127.0.0.1:${port}`;
    return through.href;
  };
  await untilReady(before(adminUrl), child);
  return {
    before,
    async stop() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configuration(admin, port, folder) {
  const host = admin.searchParams.get('host') ?? admin.hostname;
  const server = [
    `host=${host}`,
    `port=${admin.port || 5432}`,
    `user=${decodeURIComponent(admin.username)}`,
    ...(admin.password ? [`password='${decodeURIComponent(admin.password)}'`] : []),
  ].join(' ');
  return `[databases]
* = ${server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 2000
server_lifetime = 3600
autodb_idle_timeout = 5
server_idle_timeout = 5
logfile = ${join(folder, 'log')}
`;
}

async function untilReady(url, child) {
  for (let attempt = 0; ; attempt += 1) {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('SELECT 1');
      return await client.end();
    } catch (error) {
      if (attempt === 200 || child.exitCode !== null) throw error;
      await sleep(50);
    }
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
