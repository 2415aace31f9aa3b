import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import {
  Injectable,
  Logger as NestLogger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Runner, TaskList, WorkerEvents } from 'graphile-worker';
import { Database } from '../../../../platform/database/database.js';
import { JournalNotices } from '../../../../platform/journal/journal-notices.js';
import { JournalTail } from '../../journal-head/journal-tail.js';
import { WebhooksRepository } from '../webhooks.repository.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { DELIVER, DeliveryJobs } from './delivery-jobs.repository.js';
import { WebhookFeed } from './webhook-feed.js';
import { WorkerPresence } from './worker-presence.js';

const PRUNE = 'webhooks-prune';
/** The log of what is done is kept for so many days. */
const LOG_DAYS = 30;

/** Most of it is waiting for targets: many that hang must not hold up the others. */
const SIDE_BY_SIDE = 40;
const FEED_POLL_MS = 200;
const AFTER_FAULT_MS = 2_000;

/**
 * Feeds and sends, in every process, while there is a webhook to send to: until then there is no connection, no
 * poll and no schema for it. Ends when the last one is gone, and begins anew when notices tell of one.
 */
@Injectable()
export class WebhookWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new NestLogger(WebhookWorker.name);
  private running: Promise<void> | null = null;
  private woken = false;
  private readonly stopping = new AbortController();

  constructor(
    private readonly database: Database,
    private readonly notices: JournalNotices,
    private readonly webhooks: WebhooksRepository,
    private readonly tail: JournalTail,
    private readonly feed: WebhookFeed,
    private readonly jobs: DeliveryJobs,
    private readonly deliveries: DeliveriesService,
    private readonly records: DeliveriesRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.notices.heard.subscribe((type) => {
      if (type === null || type.startsWith('webhook.')) this.wake();
    });
    this.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private wake(): void {
    if (this.stopping.signal.aborted) return;
    this.woken = true;
    this.running ??= this.work();
  }

  /** Whoever wakes it while it finds nothing to do makes it look again: what it saw may be older. */
  private async work(): Promise<void> {
    while (this.woken && !this.stopping.signal.aborted) {
      this.woken = false;
      try {
        while (!this.stopping.signal.aborted && (await this.webhooks.anyEnabled())) await this.workOnce();
      } catch (fault) {
        this.log.warn(`Webhooks wait: ${fault instanceof Error ? fault.message : String(fault)}`);
        await this.wait(AFTER_FAULT_MS);
        this.woken = true;
      }
    }
    this.running = null;
  }

  /** Until the last webhook is gone, the service ends, or the database does. */
  private async workOnce(): Promise<void> {
    // Loaded where it is needed: most installations have no webhook, and every start would pay for it.
    const { Logger, run } = await import('graphile-worker');
    const events: WorkerEvents = new EventEmitter();
    let presence: WorkerPresence | null = null;
    events.on('pool:create', ({ workerPool }) => {
      presence = new WorkerPresence(this.database, workerPool.id);
    });
    const runner = await run({
      connectionString: this.database.address.connectionString,
      maxPoolSize: 4,
      concurrency: SIDE_BY_SIDE,
      pollInterval: 1_000,
      noHandleSignals: true,
      gracefulShutdownAbortTimeout: 0,
      logger: new Logger(() => () => undefined),
      events,
      taskList: this.tasks(),
      crontab: `17 * * * * ${PRUNE}`,
    });
    (presence as WorkerPresence | null)?.begin();
    try {
      await this.jobs.addMissing();
      await Promise.race([this.feedWhileNeeded(), endOf(runner)]);
    } finally {
      await runner.stop().catch(() => undefined);
      await (presence as WorkerPresence | null)?.end();
    }
  }

  private tasks(): TaskList {
    return {
      [DELIVER]: async (payload, { abortSignal }) => {
        const signal = AbortSignal.any([abortSignal, this.stopping.signal]);
        await this.deliveries.deliver((payload as { deliveryId: string }).deliveryId, signal);
      },
      [PRUNE]: () => this.records.removeFinishedBefore(LOG_DAYS),
    };
  }

  private async feedWhileNeeded(): Promise<void> {
    let fedTo = -1;
    while (!this.stopping.signal.aborted) {
      const head = await this.tail.look();
      const taken = head === fedTo ? 'all' : await this.feed.take(head);
      if (taken === 'all') fedTo = head;
      if (taken !== 'more') await this.wait(FEED_POLL_MS);
      if (!(await this.isNeeded())) return;
    }
  }

  private asked = 0;
  private async isNeeded(): Promise<boolean> {
    if (Date.now() - this.asked < AFTER_FAULT_MS) return true;
    this.asked = Date.now();
    return this.webhooks.anyEnabled();
  }

  private wait(ms: number): Promise<void> {
    return pause(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}

/** A runner ends by itself only where its connection to the database failed for good. */
async function endOf(runner: Runner): Promise<never> {
  await runner.promise;
  throw new Error('the workers have ended');
}
