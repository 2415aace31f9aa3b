import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import type { TaskList } from 'graphile-worker';
import { DataSource, Repository } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import {
  JournalFollowerWorker,
  type JournalSubscription,
} from '../../platform/journal/journal-follower-and-subscriptions.worker.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryRunner } from './delivery-runner-and-presence.js';
import { DELIVER, DeliveryJobsRepository } from './webhook-delivery.repository.js';
import { Webhook, WebhookFeed } from './webhook.entities.js';
import { WebhookRepository } from './webhooks-and-secrets.repository.js';

/** Rows before the oldest webhook have no deliveries. */
const HOLD = `
  SELECT greatest(f.position, (SELECT min(since_position) FROM webhooks))::text AS position
  FROM webhook_feed f FOR UPDATE SKIP LOCKED`;

const INSERT = `
  INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_position, type, lane)
  SELECT gen_random_uuid(), w.id, j.id, j.position, j.type,
    coalesce(j.issue_id::text, j.subject_type || ':' || coalesce(j.subject_id, ''))
  FROM journal j JOIN webhooks w ON NOT w.disabled AND j.position > w.since_position
    AND (w.project_id IS NULL OR w.project_id = j.project_id)
    AND (w.event_types IS NULL OR j.type = ANY(w.event_types)
      OR regexp_replace(j.type, '[^.]+$', '*') = ANY(w.event_types))
  WHERE j.position > $1::bigint AND j.position <= $2::bigint
  ORDER BY j.position
  ON CONFLICT (webhook_id, event_position) DO NOTHING
  RETURNING id`;

@Injectable()
export class WebhookFeedRepository extends Repository<WebhookFeed> {
  constructor(@InjectDataSource() source: DataSource) {
    super(WebhookFeed, source.manager);
  }

  /** SQL: skips what is locked. Locks the feed. @returns its position, or null when another process has the lock */
  async lock(): Promise<number | null> {
    const [feed] = await this.query<{ position: string }[]>(HOLD);
    return feed ? Number(feed.position) : null;
  }

  /** SQL: inserts what a join selects. Inserts the deliveries of the journal's rows after `from`, up to `to`. @returns their ids */
  async insertDeliveries(from: number, to: number): Promise<string[]> {
    // The end of a delivery takes the same lock: one of the two sees the other, and no lane is left without a job.
    await this.query('SELECT id FROM webhooks ORDER BY id FOR NO KEY UPDATE');
    const made = await this.query<{ id: string }[]>(INSERT, [from, to]);
    return made.map(({ id }) => id);
  }

  /** SQL: the row at an offset. The position of the last of the next `rows` rows after `from`, or `head` where there are fewer up to it. */
  async windowAfter(from: number, head: number, rows: number): Promise<number> {
    const [last] = await this.query<{ position: string }[]>(
      `SELECT position FROM journal WHERE position > $1::bigint AND position <= $2::bigint
       ORDER BY position OFFSET $3::int - 1 LIMIT 1`,
      [from, head, rows],
    );
    return last ? Number(last.position) : head;
  }

  async moveTo(position: number): Promise<void> {
    await this.update({ onlyRow: true }, { position: String(position) });
  }
}

/** How many rows of the journal one transaction turns into deliveries. */
const WINDOW = 500;

/**
 * Turns each row of the journal into deliveries once. The process that locks the feed's row takes the next rows and
 * writes their deliveries and jobs in one transaction.
 */
@Injectable()
export class WebhookFeedService {
  constructor(
    @InjectRepository(WebhookFeed) private readonly feed: WebhookFeedRepository,
    private readonly transactions: TransactionsService,
    private readonly jobs: DeliveryJobsRepository,
  ) {}

  /**
   * @param head every row up to here has committed or never will
   * @returns `held` when another process has the lock. It may die before it commits, so nothing is known to be taken.
   */
  take(head: number): Promise<'all' | 'more' | 'held'> {
    return this.transactions.run(async () => {
      const from = await this.feed.lock();
      if (from === null) return 'held';
      if (from >= head) return 'all';
      const to = await this.feed.windowAfter(from, head, WINDOW);
      const made = await this.feed.insertDeliveries(from, to);
      if (made.length > 0) await this.jobs.addHeads(made);
      await this.feed.moveTo(to);
      return to < head ? 'more' : 'all';
    });
  }
}

/** The greatest delay from an event to its deliveries. */
const FEED_MS = 200;
const RESTART_MS = 2_000;

/** What runs while there is a webhook to send to. */
interface Delivering {
  runner: DeliveryRunner;
  feed: JournalSubscription;
}

/**
 * Feeds and sends in every process whose role does background work, while there is an enabled webhook. Without one there is
 * no connection, no poll and no schema for it. The journal says when webhooks have changed.
 */
@Injectable()
export class WebhookWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private subscription: JournalSubscription | null = null;
  private delivering: Delivering | null = null;

  constructor(
    private readonly database: DatabaseService,
    private readonly journal: JournalFollowerWorker,
    @InjectRepository(Webhook) private readonly webhooks: WebhookRepository,
    private readonly feed: WebhookFeedService,
    private readonly jobs: DeliveryJobsRepository,
    private readonly deliveries: DeliveriesService,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.settings.duties.background) return;
    this.subscription = this.journal.subscribe({
      name: 'Webhooks wait',
      types: /^webhook\./,
      handle: () => this.startOrStop(),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    if (this.subscription) await this.journal.unsubscribe(this.subscription);
    await this.stop();
  }

  private async startOrStop(): Promise<void> {
    const isNeeded = await this.webhooks.existsBy({ disabled: false });
    if (!isNeeded) await this.stop();
    else if (!this.delivering && !this.stopping.signal.aborted) await this.start();
  }

  private async start(): Promise<void> {
    const runner = await DeliveryRunner.start(this.database, this.tasks());
    await this.addMissingJobs(runner);
    let fedTo: number | null = null;
    const feed = this.journal.subscribe({
      name: 'Webhooks are not fed',
      types: /^/,
      everyMs: FEED_MS,
      handle: async () => {
        fedTo = await this.feedFrom(fedTo);
      },
    });
    this.delivering = { runner, feed };
    void runner.ended().then(() => this.restart(runner));
  }

  private async addMissingJobs(runner: DeliveryRunner): Promise<void> {
    try {
      await this.jobs.addMissing();
    } catch (error) {
      await runner.stop();
      throw error;
    }
  }

  private async stop(): Promise<void> {
    const { delivering } = this;
    this.delivering = null;
    if (!delivering) return;
    await this.journal.unsubscribe(delivering.feed);
    await delivering.runner.stop();
  }

  /** After the runner has ended by itself. */
  private async restart(runner: DeliveryRunner): Promise<void> {
    if (this.delivering?.runner !== runner) return;
    await this.stop();
    // The pause is cut short at shutdown; then nothing follows.
    await pause(RESTART_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    this.subscription?.repeat();
  }

  /** Returns the head up to which everything is known to be fed. */
  private async feedFrom(fedTo: number | null): Promise<number | null> {
    while (!this.stopping.signal.aborted) {
      const { head } = this.journal;
      if (head === null || head === fedTo) return fedTo;
      const taken = await this.feed.take(head);
      if (taken === 'all') return head;
      if (taken === 'held') return fedTo;
    }
    return fedTo;
  }

  private tasks(): TaskList {
    return {
      [DELIVER]: async (payload, { abortSignal }) => {
        const signal = AbortSignal.any([abortSignal, this.stopping.signal]);
        await this.deliveries.deliver((payload as { deliveryId: string }).deliveryId, signal);
      },
    };
  }
}
