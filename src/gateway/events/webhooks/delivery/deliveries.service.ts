import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../../platform/database/transactions.js';
import type { Page, PageRequest } from '../../../../platform/http/page.js';
import { NotFound } from '../../../../platform/http/problem.js';
import { WebhooksRepository } from '../webhooks.repository.js';
import {
  DeliveriesRepository,
  type Attempt,
  type DeliveryRow,
  type DueDelivery,
} from './deliveries.repository.js';
import { DeliveryJobs } from './delivery-jobs.repository.js';
import { WebhookSender } from './webhook-sender.js';

/** With the pauses of `pauseAfter` about 28 hours. */
const MOST_TRIES = 13;

/** Asks for a further try: graphile-worker makes it, after the same pause as `pauseAfter`. */
export class TargetFailed extends Error {}

/** Deliveries: sent at least once, in the order of an issue, over all that the target does (spec §8). */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly webhooks: WebhooksRepository,
    private readonly jobs: DeliveryJobs,
    private readonly sender: WebhookSender,
    private readonly transactions: Transactions,
  ) {}

  async list(webhookId: string, page: PageRequest): Promise<Page<DeliveryRow>> {
    if (!(await this.webhooks.findById(webhookId))) throw new NotFound();
    return this.deliveries.list(webhookId, page);
  }

  /** Sends it again, or at once where it waits; out of its turn. */
  redeliver(webhookId: string, deliveryId: string): Promise<DeliveryRow> {
    return this.transactions.run(async () => {
      if (!(await this.webhooks.lock(webhookId)) || !(await this.deliveries.find(webhookId, deliveryId)))
        throw new NotFound();
      await this.deliveries.reset(deliveryId);
      await this.jobs.addNow(deliveryId);
      return (await this.deliveries.find(webhookId, deliveryId))!;
    });
  }

  /**
   * One try. A process that dies before it has noted the outcome leaves the delivery pending: it is sent again.
   * @throws {TargetFailed} when it is to be tried again
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

/** Seconds; graphile-worker's own back-off: 3 s, 7 s, 20 s, 55 s, 2.5 min … 6 h. */
function pauseAfter(tries: number): number {
  return Math.exp(Math.min(10, tries));
}

const DISABLED = (): Attempt => ({
  at: new Date().toISOString(),
  status: null,
  error: 'The webhook is disabled.',
  durationMs: 0,
});
