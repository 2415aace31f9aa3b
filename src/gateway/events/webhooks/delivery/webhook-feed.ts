import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database.js';
import { Transactions } from '../../../../platform/database/transactions.js';
import { DeliveryJobs } from './delivery-jobs.repository.js';

/** Rows of the journal that one transaction turns into deliveries. */
const WINDOW = 500;

/**
 * Turns the journal into deliveries, each row once: whichever process gets hold of the feed's row takes the next
 * stretch, with its deliveries and their jobs in one transaction.
 */
@Injectable()
export class WebhookFeed {
  constructor(
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly jobs: DeliveryJobs,
  ) {}

  /**
   * @param head how far the journal is final
   * @returns `held` where another process is at it: it may yet die over it, so nothing is known to be taken
   */
  take(head: number): Promise<'all' | 'more' | 'held'> {
    return this.transactions.run(async () => {
      const feed = await this.database.row<{ position: string }>(HOLD);
      if (!feed) return 'held';
      if (Number(feed.position) >= head) return 'all';
      const from = Number(feed.position);
      const to = Math.min(head, from + WINDOW);
      // Held against whoever finishes a delivery: one of the two sees the other, and no lane is left without a job.
      await this.database.rows('SELECT id FROM webhooks ORDER BY id FOR NO KEY UPDATE');
      const made = await this.database.rows<{ id: string }>(INSERT, [from, to]);
      if (made.length > 0) await this.jobs.addHeads(made.map(({ id }) => id));
      await this.database.change('UPDATE webhook_feed SET position = $1', [to]);
      return to < head ? 'more' : 'all';
    });
  }
}

/** What came before the oldest webhook is nobody's. */
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
  ON CONFLICT (webhook_id, event_id) DO NOTHING
  RETURNING id`;
