import { Injectable } from '@nestjs/common';
import { TransactionsService } from '../../../../platform/database/transactions.service.js';
import { DeliveryJobsRepository } from './delivery-jobs.repository.js';
import { WebhookFeedRepository } from './webhook-feed.repository.js';

/** How many rows of the journal one transaction turns into deliveries. */
const WINDOW = 500;

/**
 * Turns each row of the journal into deliveries once. The process that locks the feed's row takes the next rows and
 * writes their deliveries and jobs in one transaction.
 */
@Injectable()
export class WebhookFeedService {
  constructor(
    private readonly feed: WebhookFeedRepository,
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
