import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { Caller, type CalledService } from './caller.js';
import { canary, lookForCanary, refuseLeaks } from './canary.js';
import { HostedService } from './hosted-service.js';
import { OpenApiCheck } from './openapi-check.js';
import { Nginx } from './nginx.js';
import type { Ending, RunningService } from './running-service.js';
import { databaseSettings } from './database-settings.js';
import { ServiceHome } from './service-home.js';
import { hasTopology, Topology } from './topology.js';
import { environmentOf, ServiceProcess } from './service-process.js';
import { watchingResponses } from './watched-responses.js';
import { Agent } from './worker/undici.cjs';

/** `settings` are environment variables of the service. A given `database` is shared, and so not dropped here. */
export interface ServiceOptions {
  settings?: Record<string, string>;
  database?: { url: string };
  /** The main file of another build than this checkout's. */
  main?: string;
  /** The file for the service's output, in place of a pipe to the test. */
  logFile?: string;
  /**
   * Whether the service runs in a process of its own, which costs two seconds of a processor, and not in a service host:
   * for tests that measure or signal the process, or see how it ends.
   */
  ownProcess?: boolean;
  /** A command with its arguments that executes a process of its own, for instance in a namespace. */
  within?: readonly string[];
}

const throughNginx = process.env['TEST_THROUGH'] === 'nginx';
/** Whether the work of each service is divided by roles, with nginx before it. */
const throughRoles = process.env['TEST_THROUGH'] === 'roles';
/** Whether each service that shares its process with others elsewhere is divided among processes of its own. */
const throughProcesses = process.env['TEST_THROUGH'] === 'processes';
/** How many processes answer the requests of a service that a test starts. */
export const ANSWERING = throughProcesses ? 3 : 1;
if (throughRoles && !hasTopology()) throw new Error('TEST_THROUGH=roles needs nginx, openssl and setpriv.');

/** The Owner that the first start creates. */
export const OWNER = { email: 'owner@example.com', password: canary('the password of the Owner') };

/**
 * A real service with its own database and data folder. It stays the same service through `kill` and `start`: its
 * callers continue with the new process.
 */
export class Service implements CalledService {
  /** Keeps connections alive between requests, and accepts the self-signed certificates of tests. */
  readonly connections = new Agent({
    headersTimeout: 130_000,
    bodyTimeout: 130_000,
    connect: { rejectUnauthorized: false },
  }).compose(watchingResponses);
  readonly ownerKey: string;
  private readonly home = new ServiceHome();
  private process: RunningService | null = null;
  private readonly processes: RunningService[] = [];
  /** The address of this process. */
  address = '';
  /** The processes of all roles, where the service is divided. */
  private topology: Topology<Service> | null = null;
  /** The address of nginx, when callers reach this process and others through it. */
  private front: string | null = null;
  private check: OpenApiCheck | null = null;
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

  /** Empty before the first start. */
  get dataDir(): string {
    return this.home.dataDir;
  }

  get databaseUrl(): string {
    return this.home.databaseUrl;
  }

  /** The Owner, with the key of BOOTSTRAP_OWNER_API_KEY. */
  get owner(): Caller {
    return new Caller(this, { key: this.ownerKey });
  }

  get pid(): number {
    return this.running.pid;
  }

  /** The complete output of the present process. */
  get log(): string {
    return this.running.log;
  }

  /** The service at the address of this process, past nginx. */
  get itself(): Service {
    return Object.create(this, { baseUrl: { value: this.address } }) as Service;
  }

  /** The tools hosts; null where each process that answers requests runs servers itself. */
  get hosts(): readonly Service[] | null {
    return this.topology?.hosts ?? null;
  }

  /** Starts the tools hosts again with further settings. */
  async restartHosts(settings: Record<string, string>): Promise<void> {
    await this.topology!.restartHosts(settings);
  }

  /** Starts the service, or starts it again after `stop` or `kill` with the same database and data folder. */
  async start(settings: Record<string, string> = {}): Promise<this> {
    if (this.topology) await this.topology.startAllAgain();
    else if (throughRoles && !this.role(settings) && this.options.database?.url !== '')
      await this.startDivided(settings);
    else await this.startProcess(settings);
    return this;
  }

  /** Starts this process, and no other one. */
  async startProcess(settings: Record<string, string>): Promise<void> {
    if (!this.dataDir) await this.furnish();
    this.process = await this.open({ ...this.environment, ...settings });
    this.processes.push(this.process);
    this.address = await this.process.ready();
  }

  private async startDivided(given: Record<string, string>): Promise<void> {
    const settings = { ...given, TRUSTED_PROXIES: '127.0.0.1' };
    await this.startProcess({ ...settings, ROLE: 'api' });
    this.topology = await Topology.around<Service>(this, settings);
    this.front = this.topology.nginx.url;
  }

  private role(settings: Record<string, string>): string | undefined {
    return settings['ROLE'] ?? this.options.settings?.['ROLE'];
  }

  /** Sends SIGTERM and returns how the process ended. */
  async stop(): Promise<Ending> {
    await Promise.all(this.otherMembers.map((other) => other.stop()));
    return this.running.end();
  }

  /** Sends this signal to the process and returns how the process ended. */
  endBy(signal: NodeJS.Signals): Promise<Ending> {
    this.running.signal(signal);
    return this.running.ended;
  }

  /** Sends SIGHUP, which does not end the process. */
  reload(): void {
    this.running.signal('SIGHUP');
  }

  /** How the process ended, once it has. */
  get ended(): Promise<Ending> {
    return this.running.ended;
  }

  /** Sends SIGKILL and waits for the end of the process. */
  async kill(): Promise<void> {
    this.running.signal('SIGKILL');
    await Promise.all([this.running.ended, ...this.otherMembers.map((other) => other.kill())]);
  }

  private get otherMembers(): Service[] {
    return this.topology?.all.slice(1) ?? [];
  }

  /** From now on nginx distributes calls to this process and a second one. The caller stops nginx. */
  async goBehindNginx(): Promise<Nginx> {
    const nginx = await Nginx.before(this, await this.second());
    this.front = nginx.url;
    return nginx;
  }

  /**
   * Starts another service on the same database and key ring, in another process and with its own data folder. It has a
   * process of its own where this one has, unless the options say otherwise, and it ends with this one. Behind nginx a
   * second process already exists, so this one is returned. Where the service is divided, it takes requests too, as a
   * single process.
   */
  async second(
    settings: Record<string, string> = {},
    { main, ownProcess = this.options.ownProcess }: Pick<ServiceOptions, 'main' | 'ownProcess'> = {},
  ): Promise<Service> {
    if (this.front && !this.topology) return this;
    const keyRing = join(this.dataDir, 'keyring.json');
    const shared = { ENCRYPTION_KEYRING_FILE: keyRing, BOOTSTRAP_OWNER_API_KEY: this.ownerKey };
    const other = new Service({
      settings: {
        ...{ ...shared, ...(throughRoles && { ROLE: 'api' }), ...(throughProcesses && { PROCESSES: '1' }) },
        ...{ ...this.options.settings, ...settings },
      },
      database: { url: this.databaseUrl },
      main,
      ownProcess,
    });
    this.others.push(other);
    return other.start();
  }

  /** Returns the rows of one statement on the service's database, for what HTTP can neither set up nor show. */
  sql<Row = Record<string, unknown>>(text: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.home.sql<Row>(text, parameters);
  }

  /** Checks responses against the committed OpenAPI document. */
  openApi(): OpenApiCheck {
    return (this.check ??= OpenApiCheck.ofTheCommitted());
  }

  /** Ends the process, searches what it leaves behind for secrets, and removes its database and data folder. */
  async remove(): Promise<void> {
    await this.topology?.stop();
    await Promise.all(this.others.map((other) => other.remove()));
    if (this.process?.isRunning) await this.process.end();
    await this.connections.destroy();
    for (const { log } of this.processes) lookForCanary('the log', log);
    await this.home.remove();
    refuseLeaks();
  }

  private get running(): RunningService {
    if (!this.process) throw new Error('The service has not been started.');
    return this.process;
  }

  /** Creates the database and the data folder, unless `start` is to do it. */
  furnish(): Promise<void> {
    return this.home.create(this.options.database ?? null);
  }

  private async open(settings: Record<string, string>): Promise<RunningService> {
    if (throughProcesses && this.isHosted && !settings['ROLE'] && settings['PROCESSES'] !== '1')
      return new ServiceProcess({ PROCESSES: '3', ...settings }, this.options);
    const hosted = this.isHosted ? await HostedService.open(environmentOf(settings)) : null;
    return hosted ?? new ServiceProcess(settings, this.options);
  }

  /** An embedded database, another build and a log file belong to a process. */
  private get isHosted(): boolean {
    const { ownProcess, main, logFile, database } = this.options;
    return !ownProcess && !main && !logFile && database?.url !== '' && !throughRoles;
  }

  private get environment(): Record<string, string> {
    return {
      ...databaseSettings(this.databaseUrl),
      DATA_DIR: this.dataDir,
      RATE_LIMIT_PER_MINUTE: '0',
      BOOTSTRAP_OWNER_EMAIL: OWNER.email,
      BOOTSTRAP_OWNER_PASSWORD: OWNER.password,
      BOOTSTRAP_OWNER_API_KEY: this.ownerKey,
      ...this.options.settings,
    };
  }
}

/** Starts a service, in a service host unless the options ask for a process. The caller removes it with `remove()`. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const service = new Service(options);
  try {
    return await service.start();
  } catch (error) {
    await service.remove();
    throw error;
  }
}

/**
 * Starts one service before all tests of a file and removes it after them, in the service host unless the options ask
 * for a process of its own. Call it at the top of the file. With TEST_THROUGH=nginx the service is two processes behind
 * nginx; with TEST_THROUGH=roles it is two for requests behind nginx, two tools hosts and one for background work; with
 * TEST_THROUGH=processes it is divided among three for requests and one for the rest.
 */
export function useService(options: ServiceOptions = {}): Service {
  // The object is not copied: a test may add settings before the service starts.
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
