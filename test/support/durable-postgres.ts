import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { readCredentials } from '../../src/platform/embedded-postgres/postgres-cluster.js';
import { until } from './until.js';

/**
 * A server for one test that keeps what it has acknowledged when it is killed, unlike the server that all tests share.
 * Only the end of the whole host would need what is not flushed.
 */
export class DurablePostgres {
  private exits = 0;
  /** On the command line of the server, where they win over ALTER SYSTEM. */
  private readonly settings: Record<string, string> = { listen_addresses: '127.0.0.1', fsync: 'off' };
  private server!: EmbeddedPostgres;

  private constructor(
    private readonly folder: string,
    private readonly dataDir: string,
  ) {}

  /** @param disk the place of its tables, or null for its own folder. Its write-ahead log always has room. */
  static async start(disk: string | null = null): Promise<DurablePostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'awp-durable-'));
    const postgres = new DurablePostgres(folder, join(disk ?? folder, 'data'));
    mkdirSync(postgres.dataDir);
    await postgres.launch();
    if (disk !== null) {
      await postgres.server.stop();
      postgres.moveLog();
      await postgres.launch();
    }
    return postgres;
  }

  async createDatabase(name: string): Promise<{ url: string }> {
    const client = new Client({ connectionString: this.server.url });
    client.on('error', () => undefined);
    await client.connect();
    await client.query(`CREATE DATABASE ${name}`);
    await client.end();
    const url = new URL(this.server.url);
    url.pathname = `/${name}`;
    return { url: url.href };
  }

  /** The URL of a database for the superuser, who may change what PostgreSQL keeps to itself. */
  async superuserUrl(name: string): Promise<string> {
    const url = new URL(this.server.url);
    url.username = 'postgres';
    url.password = (await readCredentials(this.dataDir))!.superuserPassword;
    url.pathname = `/${name}`;
    return url.href;
  }

  /** Runs one statement as the superuser in a session that may write, and returns its rows. */
  async administer<Row>(statement: string, database = 'postgres'): Promise<Row[]> {
    const client = new Client({ connectionString: await this.superuserUrl(database) });
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.query('SET default_transaction_read_only = off');
      return (await client.query(statement)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  /** The folder of its files: pg_hba.conf and the certificate. */
  get cluster(): string {
    return join(this.dataDir, 'postgres');
  }

  /** Stops or continues the process that accepts connections, as a frozen host does. */
  async signal(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    process.kill(await this.pid(), signal);
  }

  /** Stops the server like `pg_ctl stop -m immediate`: nothing more is written, as in a crash. */
  stopImmediately(): Promise<void> {
    return this.stopBy('SIGQUIT');
  }

  /** Stops the server like `pg_ctl stop -m fast`, as a package upgrade or a reboot does. */
  stopFast(): Promise<void> {
    return this.stopBy('SIGINT');
  }

  private async stopBy(signal: NodeJS.Signals): Promise<void> {
    const exits = this.exits;
    process.kill(await this.pid(), signal);
    await until(() => this.exits > exits);
  }

  /** Starts the server at the same address, where it recovers from its log. */
  async startAgain(): Promise<void> {
    await this.server.restart();
  }

  /** Restarts the server with this many connections, of which three are reserved for superusers. */
  async allowConnections(count: number): Promise<void> {
    this.settings['max_connections'] = String(count);
    await this.stopFast();
    await this.startAgain();
  }

  async remove(): Promise<void> {
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async launch(): Promise<void> {
    this.server = await startEmbeddedPostgres({
      dataDir: this.dataDir,
      log: () => undefined,
      onExit: () => void (this.exits += 1),
      settings: this.settings,
    });
  }

  /** PostgreSQL stops, rather than reject writes, when its write-ahead log has no room. */
  private moveLog(): void {
    const [here, there] = [join(this.dataDir, 'postgres/pg_wal'), join(this.folder, 'wal')];
    chmodSync(this.folder, 0o755);
    execFileSync('mv', [here, there]);
    symlinkSync(there, here);
  }

  private async pid(): Promise<number> {
    const file = await readFile(join(this.dataDir, 'postgres/postmaster.pid'), 'utf8');
    return Number(file.split('\n')[0]);
  }
}
