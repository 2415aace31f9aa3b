import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../../platform/database/database.service.js';

/** Name of the task that sends one delivery. */
export const DELIVER = 'webhooks-deliver';

/**
 * How many deliveries of one webhook are sent at the same time, so that a target that hangs cannot occupy every worker.
 * All deliveries of one lane share a queue: two events of one issue are never sent at the same time.
 */
const QUEUES = 4;

/**
 * Jobs are added in the transaction that decides on them. Only the oldest pending delivery of a lane has a job. The next
 * gets its job when that one has ended, so the order of an issue holds across retries.
 */
@Injectable()
export class DeliveryJobsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Adds jobs for those of these new deliveries that are the oldest of their lane. */
  async addHeads(deliveryIds: string[]): Promise<void> {
    await this.database.rows(
      `SELECT ${ADD} FROM webhook_deliveries d WHERE d.id = ANY($1::uuid[]) AND ${IS_HEAD}`,
      [deliveryIds],
    );
  }

  /** Adds a job for the oldest pending delivery of the lane, after `deliveryId` has ended. */
  async addNext(deliveryId: string): Promise<void> {
    await this.database.rows(
      `SELECT ${ADD} FROM webhook_deliveries done JOIN webhook_deliveries d USING (webhook_id, lane)
       WHERE done.id = $1 AND ${IS_HEAD}`,
      [deliveryId],
    );
  }

  /** Adds jobs for deliveries that have lost theirs, for example after a restore without the jobs. */
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
