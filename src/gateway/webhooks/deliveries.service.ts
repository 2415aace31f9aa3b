import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import type { Page, PageRequest } from '../../platform/http/page.query.js';
import { NotFound, Problem } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
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
import { Webhook, WebhookDelivery, type WebhookEnd } from './webhook.entities.js';

/** Requests another try: graphile-worker makes it, after the same pause as `pauseAfter`. */
export class TargetFailed extends Error {}

/** Nothing sends a delivery of a disabled webhook, so that it would stay pending. */
class WebhookDisabled extends Problem {
  constructor() {
    super(
      'webhook_disabled',
      'The webhook is disabled, so nothing is sent. Enable it, then send this again.',
    );
  }
}

/** Sends each delivery at least once, in the order of its issue, whatever the target does (contract §8). */
@Injectable()
export class DeliveriesService {
  constructor(
    @InjectRepository(WebhookDelivery) private readonly deliveries: WebhookDeliveryRepository,
    @InjectRepository(Webhook) private readonly webhooks: WebhookRepository,
    private readonly jobs: DeliveryJobsRepository,
    private readonly sender: WebhookClient,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  async list(webhookId: string, page: PageRequest): Promise<Page<DeliveryRow>> {
    if (!(await this.webhooks.findById(webhookId))) throw new NotFound();
    return this.deliveries.list(webhookId, page);
  }

  /**
   * Sends the delivery again, or at once when it is pending, before earlier ones of its lane.
   * @throws {WebhookDisabled}
   */
  redeliver(webhookId: string, deliveryId: string): Promise<DeliveryRow> {
    return this.transactions.run(async () => {
      const webhook = await this.webhooks.lock(webhookId);
      if (!webhook || !(await this.deliveries.findOfWebhook(webhookId, deliveryId))) throw new NotFound();
      if (webhook.disabled) throw new WebhookDisabled();
      await this.deliveries.reset(deliveryId);
      await this.jobs.addNow(deliveryId);
      return (await this.deliveries.findOfWebhook(webhookId, deliveryId))!;
    });
  }

  /** Ends what is pending for a webhook that a person disables. Without an enabled one no process takes the jobs. */
  async endPending(webhookId: string): Promise<void> {
    await this.deliveries.failPending(webhookId, unsent(DISABLED));
  }

  /**
   * Makes one try. A process that dies before it has recorded the outcome leaves the delivery pending, and it is sent
   * again.
   * @throws {TargetFailed} when another try follows
   */
  async deliver(deliveryId: string, signal: AbortSignal): Promise<void> {
    const due = await this.deliveries.due(deliveryId);
    if (!due) return;
    const attempt = due.disabled ? unsent(DISABLED) : await this.sender.send(due, signal);
    const reason = await this.reasonToEnd(due, attempt);
    if (reason && (await this.end(due, attempt, reason))) return;
    const last = due.disabled || due.tries + 1 >= MOST_TRIES;
    if (attempt.error === null || last)
      return this.finish(due, attempt.error === null ? 'succeeded' : 'failed', attempt);
    await this.deliveries.note(due.id, 'pending', attempt, pauseAfter(due.tries + 1));
    throw new TargetFailed(attempt.error);
  }

  /** A failure to reach the address says nothing about whether it is gone. */
  private async reasonToEnd(due: DueDelivery, { status }: Attempt): Promise<WebhookEnd | null> {
    if (status === 410) return 'gone';
    if (status === 404) return (await this.webhooks.noteNotFound(due)) ? 'not_found' : null;
    if (status !== null && due.notFoundSince) await this.webhooks.forgetNotFound(due);
    return null;
  }

  /** Ends all deliveries of the webhook and disables it. @returns false when that is another's to do, or has been done */
  private end(due: DueDelivery, attempt: Attempt, reason: WebhookEnd): Promise<boolean> {
    return this.transactions.run(async () => {
      const webhook = await this.webhooks.disableFor(due, reason);
      if (!webhook) return false;
      await this.deliveries.note(due.id, 'failed', attempt, null);
      await this.deliveries.failPending(due.webhookId, unsent(ENDED[reason]));
      const { id, url, eventTypes, projectId } = webhook;
      const data = { url, eventTypes, projectId, disabled: true, disabledReason: reason };
      await this.journal.record({ type: 'webhook.updated', subject: { type: 'webhook', id }, data });
      return true;
    });
  }

  private finish(due: DueDelivery, status: 'succeeded' | 'failed', attempt: Attempt): Promise<void> {
    return this.transactions.run(async () => {
      await this.webhooks.lock(due.webhookId);
      await this.deliveries.note(due.id, status, attempt, null);
      await this.jobs.addNext(due.id);
    });
  }
}

const DISABLED = 'The webhook is disabled.';
const ENDED: Record<WebhookEnd, string> = {
  gone: 'Not sent: another delivery was answered with 410, so the webhook was disabled.',
  not_found: 'Not sent: the target responded with 404 for a day, so the webhook was disabled.',
};

/** What the log says of a delivery that was not sent. */
const unsent = (error: string): Attempt => ({
  at: new Date().toISOString(),
  status: null,
  error,
  durationMs: 0,
});
