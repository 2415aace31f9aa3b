import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { until } from './until.js';

const DEBIAN = '/usr/lib/postgresql';

/** The folder of a complete PostgreSQL with its tools, as Debian installs it, or null. */
export function postgresTools(): string | null {
  if (!existsSync(DEBIAN)) return null;
  const folders = readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin'));
  return (
    folders.find((folder) => ['initdb', 'pg_dump'].every((tool) => existsSync(join(folder, tool)))) ?? null
  );
}

/** A server of that PostgreSQL in its own folder. Under root it runs as the user `postgres`. */
export class DebianPostgres {
  private constructor(
    private readonly folder: string,
    private readonly server: ChildProcess,
    private readonly port: number,
  ) {}

  static async start(tools: string): Promise<DebianPostgres> {
    const folder = await mkdtemp(join(tmpdir(), 'awp-postgres-'));
    const account = accountOf(folder);
    const cluster = join(folder, 'cluster');
    execFileSync(join(tools, 'initdb'), ['-D', cluster, '-U', 'awp', '-A', 'trust', '--no-sync'], {
      ...account,
      stdio: 'ignore',
    });
    const port = await freePort();
    const options = ['-D', cluster, '-k', folder, '-h', '127.0.0.1', '-p', String(port), '-c', 'fsync=off'];
    const server = spawn(join(tools, 'postgres'), options, { ...account, stdio: 'ignore' });
    const postgres = new DebianPostgres(folder, server, port);
    await until(() => postgres.answers());
    return postgres;
  }

  urlOf(database: string): string {
    return `postgres://awp@127.0.0.1:${this.port}/${database}`;
  }

  async createDatabase(name: string): Promise<string> {
    const client = await this.connect();
    await client.query(`CREATE DATABASE ${name}`);
    await client.end();
    return this.urlOf(name);
  }

  async remove(): Promise<void> {
    this.server.kill('SIGQUIT');
    if (this.server.exitCode === null) await once(this.server, 'exit');
    await rm(this.folder, { recursive: true, force: true });
  }

  private async answers(): Promise<boolean> {
    if (this.server.exitCode !== null) throw new Error('The PostgreSQL of this host did not start.');
    return this.connect().then(
      (client) => client.end().then(() => true),
      () => false,
    );
  }

  private async connect(): Promise<Client> {
    const client = new Client({ connectionString: this.urlOf('postgres') });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }
}

/** Makes the folder one of the account under which PostgreSQL runs, and returns that account. */
export function accountOf(folder: string): { uid?: number; gid?: number; cwd: string } {
  if (process.getuid?.() !== 0) return { cwd: folder };
  const id = (what: string) => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  const [uid, gid] = [id('-u'), id('-g')];
  execFileSync('chown', [`${uid}:${gid}`, folder]);
  chmodSync(folder, 0o755);
  return { uid, gid, cwd: folder };
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}
