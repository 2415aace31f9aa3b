import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database.js';

/** Name of the task that sends one delivery. */
export const DELIVER = 'webhooks-deliver';

/**
 * So many deliveries of one webhook are sent side by side: a target that hangs can't take the workers of others.
 * All of one lane share a queue, so nothing of an issue is ever sent beside something else of it.
 */
const QUEUES = 4;

/**
 * Jobs are added in the transaction that decides on them. Of each lane only the oldest delivery has one: the next
 * gets its own when that one is done, so the order of an issue holds over all retries.
 */
@Injectable()
export class DeliveryJobs {
  constructor(private readonly database: Database) {}

  /** For those of these new deliveries that nothing in their lane comes before. */
  async addHeads(deliveryIds: string[]): Promise<void> {
    await this.database.rows(
      `SELECT ${ADD} FROM webhook_deliveries d WHERE d.id = ANY($1::uuid[]) AND ${IS_HEAD}`,
      [deliveryIds],
    );
  }

  /** After `deliveryId` is done: the oldest of its lane that is left. */
  async addNext(deliveryId: string): Promise<void> {
    await this.database.rows(
      `SELECT ${ADD} FROM webhook_deliveries done JOIN webhook_deliveries d USING (webhook_id, lane)
       WHERE done.id = $1 AND ${IS_HEAD}`,
      [deliveryId],
    );
  }

  /** What lost its job: a safety net, and the way back after a restore that left the jobs out. */
  async addMissing(): Promise<void> {
    await this.database.rows(
      `SELECT ${ADD} FROM webhook_deliveries d WHERE ${IS_HEAD}
       AND NOT EXISTS (SELECT 1 FROM graphile_worker.jobs j WHERE j.key = d.id::text)`,
    );
  }

  async addNow(deliveryId: string): Promise<void> {
    await this.database.rows(`SELECT ${ADD} FROM webhook_deliveries d WHERE d.id = $1`, [deliveryId]);
  }
}

const IS_HEAD = `d.status = 'pending' AND NOT EXISTS (
  SELECT 1 FROM webhook_deliveries earlier WHERE earlier.webhook_id = d.webhook_id AND earlier.lane = d.lane
    AND earlier.status = 'pending' AND earlier.event_position < d.event_position)`;

const ADD = `graphile_worker.add_job('${DELIVER}', json_build_object('deliveryId', d.id),
  queue_name => 'webhook:' || d.webhook_id || ':' || abs(hashtext(d.lane)::bigint) % ${QUEUES},
  job_key => d.id::text, max_attempts => 100)`;
