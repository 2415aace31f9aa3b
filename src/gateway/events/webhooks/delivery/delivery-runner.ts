import { EventEmitter } from 'node:events';
import { Logger as NestLogger } from '@nestjs/common';
import type { LogFunctionFactory, Runner, TaskList, WorkerEvents } from 'graphile-worker';
import type { DatabaseService } from '../../../../platform/database/database.service.js';
import { TargetFailed } from './target-failed.js';
import { WorkerPresence } from './worker-presence.js';

/** Most of a delivery is waiting for the target: many targets that hang must not hold up the others. */
const CONCURRENCY = 40;

const log = new NestLogger('graphile-worker');

/** graphile-worker with the tasks of webhooks, and the presence that lets other processes free its jobs. */
export class DeliveryRunner {
  private constructor(
    private readonly runner: Runner,
    private readonly presence: WorkerPresence,
  ) {}

  static async start(database: DatabaseService, taskList: TaskList): Promise<DeliveryRunner> {
    // Loaded where it is needed: most installations have no webhook, and every start would pay for it.
    const { Logger, run } = await import('graphile-worker');
    const events: WorkerEvents = new EventEmitter();
    const poolId = new Promise<string>((resolve) => {
      events.once('pool:create', ({ workerPool }) => resolve(workerPool.id));
    });
    const runner = await run({
      connectionString: database.address.connectionString,
      maxPoolSize: 4,
      concurrency: CONCURRENCY,
      pollInterval: 1_000,
      noHandleSignals: true,
      gracefulShutdownAbortTimeout: 0,
      logger: new Logger(logWarnings),
      events,
      taskList,
    });
    const presence = new WorkerPresence(database, await poolId);
    presence.begin();
    return new DeliveryRunner(runner, presence);
  }

  /** Resolves when the runner has ended, also when its connection to the database has failed for good. */
  async ended(): Promise<void> {
    // graphile-worker has logged the reason.
    await this.runner.promise.catch(() => undefined);
  }

  async stop(): Promise<void> {
    // It fails when the runner has ended already.
    await this.runner.stop().catch(() => undefined);
    await this.presence.end();
  }
}

/** Warnings and errors, except those that say nothing new. */
const logWarnings: LogFunctionFactory = () => (level, message, meta) => {
  // The delivery log has every try that failed.
  if (meta?.['error'] instanceof TargetFailed) return;
  // The runner stops, since the last webhook was disabled or the service ends. The delivery is tried again after the next start.
  if (meta?.['error'] instanceof Error && meta['error'].name === 'AbortError') return;
  // Jobs wait for targets, not for connections: 4 serve all 40.
  if (message.startsWith('WARNING: having maxPoolSize')) return;
  if (level === 'error') log.error(message);
  else if (level === 'warning') log.warn(message);
};
