import { EventEmitter } from 'node:events';
import { Logger, Logger as NestLogger } from '@nestjs/common';
import type { LogFunctionFactory, Runner, TaskList, WorkerEvents } from 'graphile-worker';
import type { Client, Pool, PoolClient, PoolConfig } from 'pg';
import type { Subscription } from 'rxjs';
import { ServicePool } from '../../platform/database/data-source-pool-and-limits.js';
import type { DatabaseService } from '../../platform/database/database.service.js';
import { ServiceClient, type ServiceClientConfig } from '../../platform/database/service.client.js';
import { RepeatedFailure } from '../../platform/failures/repeated-failure.js';

const SWEEP_MS = 5_000;

/**
 * Shows the other processes that a pool of workers is alive, by a connection that has its name and ends with the
 * process. It also releases the jobs of pools that are gone; graphile-worker alone waits four hours.
 */
export class WorkerPresence {
  private readonly failure = new RepeatedFailure(
    new Logger(WorkerPresence.name),
    'Jobs of ended processes could not be released; trying again',
  );
  private client: Client | null = null;
  private suspects = new Set<string>();
  private timer: NodeJS.Timeout | null = null;
  private ended = false;
  /** Whether the connection has a login that was replaced. The next sweep makes another one. */
  private isOutdated = false;
  private readonly renewal: Subscription;

  constructor(
    private readonly database: DatabaseService,
    private readonly poolId: string,
  ) {
    this.renewal = database.renewed.subscribe(() => void (this.isOutdated = true));
  }

  begin(): void {
    void this.sweep();
  }

  async end(): Promise<void> {
    this.ended = true;
    this.renewal.unsubscribe();
    if (this.timer) clearTimeout(this.timer);
    await this.disconnect();
  }

  private async sweep(): Promise<void> {
    try {
      if (this.isOutdated) await this.disconnect();
      this.isOutdated = false;
      this.client ??= await this.connect();
      await this.release(await this.absent());
      this.failure.succeeded();
    } catch (error) {
      if (!this.ended) this.failure.failed(error);
      await this.disconnect();
    }
    if (this.ended) return;
    this.timer = setTimeout(() => void this.sweep(), this.client ? SWEEP_MS : 500);
    this.timer.unref();
  }

  private async connect(): Promise<Client> {
    const client = this.database.separateClient({ application_name: this.poolId, query_timeout: 4_000 });
    // The next sweep connects again and logs an error if it cannot.
    client.on('error', () => (this.client = null));
    await client.connect();
    return client;
  }

  private async disconnect(): Promise<void> {
    // The connection is not used any more: it does not matter how it ends.
    await this.client?.end().catch(() => undefined);
    this.client = null;
  }

  private async absent(): Promise<string[]> {
    const { rows } = await this.client!.query<{ pool: string }>(ABSENT);
    return rows.map(({ pool }) => pool);
  }

  /** Only pools that were absent in two sweeps: one whose connection breaks connects again within one. */
  private async release(absent: string[]): Promise<void> {
    const dead = absent.filter((pool) => this.suspects.has(pool));
    this.suspects = new Set(absent);
    if (dead.length > 0) await this.client!.query('SELECT graphile_worker.force_unlock_workers($1)', [dead]);
  }
}

const ABSENT = `
  SELECT DISTINCT locked_by AS pool FROM graphile_worker.jobs
  WHERE locked_by IS NOT NULL AND locked_by NOT IN (
    SELECT application_name FROM pg_stat_activity WHERE datname = current_database())`;

/** Most of a delivery is waiting for the target: many targets that hang must not hold up the others. */
const CONCURRENCY = 40;
/** Jobs wait for targets, not for connections: 4 serve all 40. */
const CONNECTIONS = 4;
/** A database that responds to nothing must not hold up the runner for ever. */
const PATIENCE = { connectionTimeoutMillis: 10_000, query_timeout: 30_000, keepAlive: true };
/**
 * graphile-worker 0.17 does not await the statement that ends a job. Without a batch its failure is a rejection that no
 * caller handles. A batch, also one of 0 ms, reports it as `pool:fatalError`, and `WebhookWorker` starts another runner.
 */
const HANDLED_ENDS = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

const log = new NestLogger('graphile-worker');
/** Of all runners: after an outage another one goes on. */
const failure = new RepeatedFailure(log, 'Jobs of webhooks meet an error and are tried again');
let failedAt = -Infinity;
/** Jobs that were read before an outage begin and fail in it. */
const QUIET_MS = 3_000;

/** Takes note that the database has answered: it is over when nothing has failed for a while. */
function noteLook(): void {
  if (performance.now() - failedAt > QUIET_MS) failure.succeeded();
}

/** The database has answered. */
const LOOKS = ['worker:getJob:empty', 'job:start'] as const;

/** graphile-worker with the tasks of webhooks, and the presence that lets other processes free its jobs. */
export class DeliveryRunner {
  /** Resolves when the runner ends by itself. The library counts its batches wrongly then, and may never have ended. */
  private readonly failed: Promise<void>;
  private isStopping = false;

  private constructor(
    private readonly runner: Runner,
    private readonly presence: WorkerPresence,
    private readonly pool: Pool,
    events: WorkerEvents,
    neverLooked: Promise<void>,
    private readonly renewal: Subscription,
  ) {
    const ended = new Promise<void>((resolve) => {
      events.once('pool:fatalError', () => resolve());
      events.once('pool:gracefulShutdown', () => void (this.isStopping || resolve()));
    });
    this.failed = Promise.race([ended, neverLooked]);
  }

  static async start(database: DatabaseService, taskList: TaskList): Promise<DeliveryRunner> {
    // Loaded where it is needed: most installations have no webhook, and every start would pay for it.
    const { Logger: WorkerLogger, run } = await import('graphile-worker');
    const pool = poolOf(database);
    const events: WorkerEvents = new EventEmitter();
    const renewal = renewing(database, pool, events);
    const neverLooked = failedFirstLook(events);
    for (const look of LOOKS) events.on(look, noteLook);
    const poolId = new Promise<string>((resolve) => {
      events.once('pool:create', ({ workerPool }) => resolve(workerPool.id));
    });
    const runner = await run({
      pgPool: pool,
      preset: HANDLED_ENDS,
      concurrency: CONCURRENCY,
      pollInterval: 1_000,
      noHandleSignals: true,
      gracefulShutdownAbortTimeout: 0,
      logger: new WorkerLogger(logWarnings),
      events,
      taskList,
    }).catch((error: unknown) => {
      renewal.unsubscribe();
      endPool(pool);
      throw error;
    });
    const presence = new WorkerPresence(database, await poolId);
    presence.begin();
    return new DeliveryRunner(runner, presence, pool, events, neverLooked, renewal);
  }

  /** Resolves when the runner has ended, also when its connection to the database has failed for good. */
  async ended(): Promise<void> {
    // graphile-worker has logged the reason.
    await Promise.race([this.failed, this.runner.promise.catch(() => undefined)]);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.renewal.unsubscribe();
    // It fails when the runner has ended already.
    await Promise.race([this.failed, this.runner.stop().catch(() => undefined)]);
    await this.presence.end();
    endPool(this.pool);
  }
}

/**
 * Resolves when a look for jobs fails before one has succeeded. With its first look graphile-worker 0.17 asks for the ids
 * of its tasks, and keeps the answer for as long as it lives, also where it is an error: it would send nothing any more.
 */
function failedFirstLook(events: WorkerEvents): Promise<void> {
  return new Promise((resolve) => {
    let hasLooked = false;
    for (const look of LOOKS) events.once(look, () => (hasLooked = true));
    events.on('worker:getJob:error', () => void (hasLooked || resolve()));
  });
}

/**
 * Creates the connections of the runner. A pool that graphile-worker makes loses its listeners before its connections
 * have ended, and the last message of a database that stops would then end the process.
 */
function poolOf(database: DatabaseService): ServicePool {
  const { connectionString, presentUrl } = database.address;
  const options: PoolConfig & ServiceClientConfig = {
    connectionString,
    presentUrl,
    max: CONNECTIONS,
    ...PATIENCE,
  };
  const pool = new ServicePool({ Client: ServiceClient, ...options });
  // The statement that needs the connection reports the error, and the pool replaces the connection.
  pool.on('error', () => undefined);
  // graphile-worker expects a listener here too; `ServiceClient` has what it would add.
  pool.on('connect', () => undefined);
  return pool;
}

/** Ends the listening of a connection whose login was replaced. */
class LoginReplaced extends Error {}

/**
 * Ends connections of a former login. The one that listens is never released by itself: graphile-worker releases it after an
 * error, and then listens on another one.
 */
function renewing(database: DatabaseService, pool: ServicePool, events: WorkerEvents): Subscription {
  let listening: PoolClient | null = null;
  events.on('pool:listen:success', ({ client }) => (listening = client));
  return database.renewed.subscribe(() => {
    const login = database.address.presentUrl?.() ?? null;
    if (login !== null) pool.renew(login);
    listening?.emit('error', new LoginReplaced());
    listening = null;
  });
}

/** Does not wait: a statement that still runs on a database that is away would hold up the end of the runner. */
function endPool(pool: Pool): void {
  // The connections are not used any more, so it does not matter how they end.
  pool.end().catch(() => undefined);
}

/** Warnings and errors, except those that say nothing new. */
const logWarnings: LogFunctionFactory = () => (level, message, meta) => {
  // The runner stops, since the last webhook was disabled or the service ends. The delivery is tried again after the next start.
  if (meta?.['error'] instanceof Error && meta['error'].name === 'AbortError') return;
  if (meta?.['error'] instanceof LoginReplaced) return;
  // Fewer connections than jobs are intended, see `CONNECTIONS`.
  if (message.startsWith('WARNING: having maxPoolSize')) return;
  if (level === 'error') {
    failedAt = performance.now();
    failure.failed(sentenceOf(message));
  } else if (level === 'warning') log.warn(message);
};

/** What went wrong in one line: graphile-worker adds the error again, with its stack. */
function sentenceOf(message: string): string {
  const [text = ''] = message.split(/\n\s+at |\s+\{\n/, 1);
  return text.replaceAll(/\s+/g, ' ').trim();
}
