import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { Client } from 'pg';
import { Agent } from 'undici';
import { Caller } from './caller.js';
import { canariesWereStored, canary, lookForCanary, refuseLeaks } from './canary.js';
import { lookForCanaryInDatabase, lookForCanaryInFolder } from './canary-on-disk.js';
import { OpenApiCheck } from './openapi-check.js';
import { Nginx } from './nginx.js';
import { createDatabase, type TestDatabase } from './postgres.mjs';
import { ServiceProcess, type Ending } from './service-process.js';
import { watchingAnswers } from './watched-answers.js';

/** `settings`: environment variables of the service; `database`: one that several services share, not dropped here. */
export interface ServiceOptions {
  settings?: Record<string, string>;
  database?: { url: string };
  /** The main file of another build. */
  main?: string;
  /** A file that the service writes to, in place of the test's own ears. */
  logFile?: string;
}

const throughNginx = process.env['TEST_THROUGH'] === 'nginx';

/** Who the Owner is that the first start makes. */
export const OWNER = { email: 'owner@example.com', password: canary('the password of the Owner') };

/**
 * A real service process on a database and a data folder of its own. It stays one service through `kill` and
 * `start`: its callers go on with the new process.
 */
export class Service {
  /** Keeps connections alive between requests; takes whatever certificate a test has made. */
  readonly connections = new Agent({
    headersTimeout: 130_000,
    bodyTimeout: 130_000,
    connect: { rejectUnauthorized: false },
  }).compose(watchingAnswers);
  readonly ownerKey: string;
  /** Empty before the first start. */
  dataDir = '';
  databaseUrl = '';
  private process: ServiceProcess | null = null;
  private readonly processes: ServiceProcess[] = [];
  private address = '';
  /** Where callers reach it in place of its own address, and the process beside it. */
  private front: string | null = null;
  private own: TestDatabase | null = null;
  private check: Promise<OpenApiCheck> | null = null;
  private client: Promise<Client> | null = null;
  private readonly others: Service[] = [];

  constructor(private readonly options: ServiceOptions = {}) {
    this.ownerKey =
      options.settings?.['BOOTSTRAP_OWNER_API_KEY'] ?? canary(`owner-${randomBytes(24).toString('hex')}`);
  }

  /** Like `http://127.0.0.1:41234`. */
  get baseUrl(): string {
    if (!this.address) throw new Error('The service has not been started.');
    return this.front ?? this.address;
  }

  /** The Owner, with the key of BOOTSTRAP_OWNER_API_KEY. */
  get owner(): Caller {
    return new Caller(this, { key: this.ownerKey });
  }

  get pid(): number {
    return this.running.pid;
  }

  /** Everything that the present process wrote. */
  get log(): string {
    return this.running.log;
  }

  /** Starts the service, or starts it again after `stop` or `kill` with the same database and data folder. */
  async start(settings: Record<string, string> = {}): Promise<this> {
    if (!this.dataDir) await this.furnish();
    this.process = new ServiceProcess({ ...this.environment, ...settings }, this.options);
    this.processes.push(this.process);
    this.address = await this.process.ready();
    return this;
  }

  /** SIGTERM; gives how the process ended. */
  stop(): Promise<Ending> {
    return this.running.end();
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    this.running.signal('SIGKILL');
    await this.running.ended;
  }

  /** From here on callers reach this process or another beside it, as nginx decides. Whoever asks stops nginx. */
  async goBehindNginx(): Promise<Nginx> {
    const nginx = await Nginx.before(this, await this.second());
    this.front = nginx.url;
    return nginx;
  }

  /**
   * Another process on the same database and key ring, with a data folder of its own; ends with this one. Behind nginx
   * there is one already.
   */
  async second(settings: Record<string, string> = {}, main?: string): Promise<Service> {
    if (this.front) return this;
    const keyRing = join(this.dataDir, 'keyring.json');
    const shared = { ENCRYPTION_KEYRING_FILE: keyRing, BOOTSTRAP_OWNER_API_KEY: this.ownerKey };
    const other = new Service({
      settings: { ...shared, ...this.options.settings, ...settings },
      database: { url: this.databaseUrl },
      main,
    });
    this.others.push(other);
    return other.start();
  }

  /** Rows of one statement on the service's database, for what HTTP can't arrange or tell. */
  async sql<Row = Record<string, unknown>>(text: string, parameters: unknown[] = []): Promise<Row[]> {
    this.client ??= connect(this.databaseUrl);
    return (await (await this.client).query(text, parameters)).rows as Row[];
  }

  /** Holds answers against the document that this very service serves. */
  openApi(): Promise<OpenApiCheck> {
    this.check ??= OpenApiCheck.ofTheCommitted();
    return this.check;
  }

  /** Ends the process, looks for secrets in what it leaves behind, and gives that back. */
  async remove(): Promise<void> {
    for (const other of this.others) await other.remove();
    if (this.process?.isRunning) await this.process.end();
    await this.connections.destroy();
    await (await this.client)?.end();
    await this.lookForCanaries();
    await this.own?.drop();
    if (this.dataDir) await rm(this.dataDir, { recursive: true, force: true });
    refuseLeaks();
  }

  private async lookForCanaries(): Promise<void> {
    for (const { log } of this.processes) lookForCanary('the log', log);
    if (!canariesWereStored()) return;
    if (this.own) await lookForCanaryInDatabase(this.own.url, this.own.begun);
    if (this.dataDir) lookForCanaryInFolder(this.dataDir);
  }

  private get running(): ServiceProcess {
    if (!this.process) throw new Error('The service has not been started.');
    return this.process;
  }

  /** Gives it its database and data folder; `start` does it otherwise. */
  async furnish(): Promise<void> {
    this.dataDir = await mkdtemp(join(tmpdir(), 'awp-service-'));
    this.databaseUrl = this.options.database?.url ?? (await this.ownDatabase());
  }

  private async ownDatabase(): Promise<string> {
    this.own = await createDatabase();
    return this.own.url;
  }

  private get environment(): Record<string, string> {
    return {
      DATABASE_URL: this.databaseUrl,
      DATA_DIR: this.dataDir,
      RATE_LIMIT_PER_MINUTE: '0',
      BOOTSTRAP_OWNER_EMAIL: OWNER.email,
      BOOTSTRAP_OWNER_PASSWORD: OWNER.password,
      BOOTSTRAP_OWNER_API_KEY: this.ownerKey,
      ...this.options.settings,
    };
  }
}

/** A running service; the caller gives it back with `remove()`. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const service = new Service(options);
  try {
    return await service.start();
  } catch (fault) {
    await service.remove();
    throw fault;
  }
}

/**
 * One service for all tests of a file: started before them, removed after them. Call it at the top of the file. With
 * TEST_THROUGH=nginx it is two processes behind nginx.
 */
export function useService(options: ServiceOptions = {}): Service {
  // Not a copy: a test may set some of its settings before the service starts.
  if (throughNginx) (options.settings ??= {})['TRUSTED_PROXIES'] = '127.0.0.1';
  const service = new Service(options);
  let nginx: Nginx | null = null;
  beforeAll(async () => {
    await service.start();
    if (throughNginx) nginx = await service.goBehindNginx();
  });
  afterAll(async () => {
    await nginx?.stop();
    await service.remove();
  });
  return service;
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
