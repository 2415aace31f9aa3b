import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { DatabaseProxy } from './database-proxy.js';
import { accountOf, freePort } from './debian-postgres.js';
import { descendantsOf } from './descendants.js';
import { until } from './until.js';

const run = promisify(execFile);
type Account = ReturnType<typeof accountOf>;

interface Server {
  cluster: string;
  port: number;
  process: ChildProcess;
}

/** A primary with one synchronous replica: what the primary acknowledges, both have. */
export class ReplicatedPostgres {
  private replica: Server | null = null;
  /** Between the two. */
  private link: DatabaseProxy | null = null;
  private clusters = 1;

  private constructor(
    private readonly tools: string,
    private readonly folder: string,
    readonly account: Account,
    private primary: Server,
  ) {}

  /** The folder of the present primary. */
  get cluster(): string {
    return this.primary.cluster;
  }

  static async start(tools: string): Promise<ReplicatedPostgres> {
    const postgres = await ReplicatedPostgres.startAlone(tools);
    await postgres.addReplica();
    return postgres;
  }

  /** Starts a primary whose replica is added later. */
  static async startAlone(tools: string): Promise<ReplicatedPostgres> {
    const folder = await mkdtemp(join(tmpdir(), 'awp-replicated-'));
    const account = accountOf(folder);
    const cluster = join(folder, 'cluster-1');
    const options = ['-D', cluster, '-U', 'awp', '-A', 'trust', '--no-sync'];
    execFileSync(join(tools, 'initdb'), options, { ...account, stdio: 'ignore' });
    const primary = await launch(tools, folder, account, cluster);
    return new ReplicatedPostgres(tools, folder, account, primary);
  }

  /** The address of the present primary. */
  urlOf(database: string): string {
    return urlAt(this.primary.port, database);
  }

  createDatabase(name: string): Promise<unknown> {
    return this.sql(`CREATE DATABASE ${name}`);
  }

  /**
   * Ends the primary and its sessions at once, so that none of them acknowledges anything afterwards. For a moment before
   * that nothing reaches the replica, so that the primary has writes which the replica lacks.
   */
  async killPrimary(): Promise<void> {
    const { process: postmaster } = this.primary;
    this.link!.swallow();
    await sleep(500);
    for (const pid of [postmaster.pid!, ...descendantsOf(postmaster.pid!).map((one) => one.pid)])
      killIfAlive(pid);
    if (postmaster.exitCode === null && postmaster.signalCode === null) await once(postmaster, 'exit');
    await this.link!.stop();
  }

  /** Makes the replica the primary. It confirms writes alone until it has a replica of its own. */
  async promote(): Promise<void> {
    const { cluster } = (this.primary = this.replica!);
    this.replica = null;
    await run(join(this.tools, 'pg_ctl'), ['promote', '-w', '-D', cluster], this.account);
    await this.confirmWith('');
  }

  /** Nothing passes between the primary and its replica, so that the primary confirms no write. */
  async cutReplica(): Promise<void> {
    await this.link!.stop();
  }

  /** The replica comes back, if it was away, and the primary confirms what has waited for it. */
  async returnReplica(): Promise<void> {
    await this.link!.giveBack();
    await this.untilSynchronous();
  }

  /** Stops the primary like `pg_ctl stop -m fast`, as a package upgrade or a reboot does. The replica stays. */
  async stopPrimary(): Promise<void> {
    const { process: postmaster } = this.primary;
    postmaster.kill('SIGINT');
    if (postmaster.exitCode === null && postmaster.signalCode === null) await once(postmaster, 'exit');
  }

  /** Starts the stopped primary at its former address. */
  async startPrimary(): Promise<void> {
    const { cluster, port } = this.primary;
    this.primary = await launch(this.tools, this.folder, this.account, cluster, port);
  }

  /**
   * Copies the present primary, and has it confirm no write from then on that the copy does not have.
   * @param further options of pg_basebackup
   */
  async addReplica(further: string[] = []): Promise<void> {
    const cluster = join(this.folder, `cluster-${(this.clusters += 1)}`);
    this.link = await DatabaseProxy.before(this.urlOf('postgres'));
    const source = ['-h', '127.0.0.1', '-p', new URL(this.link.url).port, '-U', 'awp'];
    const options = [...source, '-D', cluster, '-R', '-X', 'stream', '-c', 'fast', '--no-sync', ...further];
    await run(join(this.tools, 'pg_basebackup'), options, this.account);
    this.replica = await launch(this.tools, this.folder, this.account, cluster);
    await this.confirmWith('*');
    await this.untilSynchronous();
  }

  private async untilSynchronous(): Promise<void> {
    await until(async () => {
      const [row] = await this.sql<{ state: string }>('SELECT sync_state AS state FROM pg_stat_replication');
      return row?.state === 'sync';
    });
  }

  async remove(): Promise<void> {
    await this.link?.stop();
    for (const server of [this.replica, this.primary]) {
      if (server?.process.exitCode !== null || server.process.signalCode !== null) continue;
      server.process.kill('SIGQUIT');
      await once(server.process, 'exit');
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  private async confirmWith(names: string): Promise<void> {
    await this.sql(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
    await this.sql('SELECT pg_reload_conf()');
  }

  /** Runs statements at the primary as its superuser. */
  async sql<Row>(text: string, database = 'postgres'): Promise<Row[]> {
    const client = await connected(this.primary.port, database);
    try {
      return (await client.query(text)).rows as Row[];
    } finally {
      await client.end();
    }
  }
}

async function launch(
  ...[tools, folder, account, cluster, before]: [string, string, Account, string, number?]
): Promise<Server> {
  const port = before ?? (await freePort());
  const settings = [
    'fsync=off',
    'max_connections=100',
    'max_wal_senders=4',
    'wal_retrieve_retry_interval=200ms',
  ].flatMap((one) => ['-c', one]);
  const options = ['-D', cluster, '-k', folder, '-h', '127.0.0.1', '-p', String(port), ...settings];
  const server = spawn(join(tools, 'postgres'), options, { ...account, stdio: 'ignore' });
  await until(async () => {
    if (server.exitCode !== null) throw new Error('The PostgreSQL of this host did not start.');
    return connected(port).then(
      (client) => client.end().then(() => true),
      () => false,
    );
  });
  return { cluster, port, process: server };
}

async function connected(port: number, database = 'postgres'): Promise<Client> {
  const client = new Client({ connectionString: urlAt(port, database) });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const urlAt = (port: number, database: string) => `postgres://awp@127.0.0.1:${port}/${database}`;

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // A session that has ended meanwhile.
  }
}
