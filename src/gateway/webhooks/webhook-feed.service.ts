import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { WebhookFeed } from './webhook.entities.js';
import { DeliveryJobsRepository } from './webhook-delivery.repository.js';

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
