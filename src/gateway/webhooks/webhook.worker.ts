import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { TaskList } from 'graphile-worker';
import { Settings } from '../../platform/config/settings.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { JournalFollowerWorker } from '../../platform/journal/journal-follower.worker.js';
import type { JournalSubscription } from '../../platform/journal/journal-subscription.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryRunner } from './delivery-runner.js';
import { DELIVER, DeliveryJobsRepository } from './webhook-delivery.repository.js';
import { WebhookFeedService } from './webhook-feed.service.js';
import { WebhookRepository } from './webhook.repository.js';
import { Webhook } from './webhook.entities.js';

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
