import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import type { Page, PageRequest } from '../../platform/http/page.query.js';
import { NotFound } from '../../platform/http/problem.js';
import {
  type Attempt,
  WebhookDeliveryRepository,
  DeliveryJobsRepository,
  type DeliveryRow,
  type DueDelivery,
  MOST_TRIES,
  pauseAfter,
} from './webhook-delivery.repository.js';
import { WebhookClient } from './webhook.client.js';
import { WebhookRepository } from './webhook.repository.js';
import { Webhook } from './webhook.entities.js';
import { WebhookDelivery } from './webhook.entities.js';

/** Requests another try: graphile-worker makes it, after the same pause as `pauseAfter`. */
export class TargetFailed extends Error {}

/** Sends each delivery at least once, in the order of its issue, whatever the target does (contract §8). */
@Injectable()
export class DeliveriesService {
  constructor(
    @InjectRepository(WebhookDelivery) private readonly deliveries: WebhookDeliveryRepository,
    @InjectRepository(Webhook) private readonly webhooks: WebhookRepository,
    private readonly jobs: DeliveryJobsRepository,
    private readonly sender: WebhookClient,
    private readonly transactions: TransactionsService,
  ) {}

  async list(webhookId: string, page: PageRequest): Promise<Page<DeliveryRow>> {
    if (!(await this.webhooks.findById(webhookId))) throw new NotFound();
    return this.deliveries.list(webhookId, page);
  }

  /** Sends the delivery again, or at once when it is pending, before earlier ones of its lane. */
  redeliver(webhookId: string, deliveryId: string): Promise<DeliveryRow> {
    return this.transactions.run(async () => {
      if (
        !(await this.webhooks.lock(webhookId)) ||
        !(await this.deliveries.findOfWebhook(webhookId, deliveryId))
      )
        throw new NotFound();
      await this.deliveries.reset(deliveryId);
      await this.jobs.addNow(deliveryId);
      return (await this.deliveries.findOfWebhook(webhookId, deliveryId))!;
    });
  }

  /**
   * Makes one try. A process that dies before it has recorded the outcome leaves the delivery pending, and it is sent
   * again.
   * @throws {TargetFailed} when another try follows
   */
  async deliver(deliveryId: string, signal: AbortSignal): Promise<void> {
    const due = await this.deliveries.due(deliveryId);
    if (!due) return;
    const attempt = due.disabled ? DISABLED() : await this.sender.send(due, signal);
    const last = due.disabled || due.tries + 1 >= MOST_TRIES;
    if (attempt.error === null || last)
      return this.finish(due, attempt.error === null ? 'succeeded' : 'failed', attempt);
    await this.deliveries.note(due.id, 'pending', attempt, pauseAfter(due.tries + 1));
    throw new TargetFailed(attempt.error);
  }

  private finish(due: DueDelivery, status: 'succeeded' | 'failed', attempt: Attempt): Promise<void> {
    return this.transactions.run(async () => {
      await this.webhooks.lock(due.webhookId);
      await this.deliveries.note(due.id, status, attempt, null);
      await this.jobs.addNext(due.id);
    });
  }
}

const DISABLED = (): Attempt => ({
  at: new Date().toISOString(),
  status: null,
  error: 'The webhook is disabled.',
  durationMs: 0,
});
