import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import { prepared } from '../../platform/database/service.client.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { type Event, EVENT_COLUMNS } from '../event-stream/events.repository.js';
import { WebhookDelivery } from './webhook.entities.js';

/** Name of the task that sends one delivery. */
export const DELIVER = 'webhooks-deliver';

/**
 * How many deliveries of one webhook are sent at the same time, so that a target that hangs cannot occupy every worker.
 * All deliveries of one lane share a queue: two events of one issue are never sent at the same time.
 */
const QUEUES = 4;

/**
 * SQL: the functions of graphile-worker. Jobs are added in the transaction that decides on them. Only the oldest pending
 * delivery of a lane has a job, which goes on with the lane after it has ended (`DeliveriesService`), so the order of an
 * issue holds across retries.
 */
@Injectable()
export class DeliveryJobsRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** Adds jobs for those of these new deliveries that are the oldest of their lane. */
  async addHeads(deliveryIds: string[]): Promise<void> {
    await this.source.query(
      `SELECT ${ADD} FROM webhook_deliveries d WHERE d.id = ANY($1::uuid[]) AND ${IS_HEAD}`,
      [deliveryIds],
    );
  }

  /**
   * Finds the oldest pending delivery of the lane of `deliveryId`, if it is due. One that waits for its next try has a job
   * for that moment. One that was never tried is due whatever its time says: the feed may have made it after the caller's
   * transaction began.
   */
  async nextOf(deliveryId: string): Promise<string | null> {
    const [next] = await this.source.query<{ id: string }[]>(NEXT_OF_LANE, [deliveryId]);
    return next?.id ?? null;
  }

  /** Adds jobs for deliveries that have lost theirs, for example after a restore without the jobs. */
  async addMissing(): Promise<void> {
    await this.source.query(`SELECT ${ADD} FROM webhook_deliveries d WHERE ${IS_HEAD}
       AND NOT EXISTS (SELECT 1 FROM graphile_worker.jobs j WHERE j.key = d.id::text)`);
  }

  /** Adds the job of a delivery, for the moment of its next try. It replaces a job of the same delivery. */
  async add(deliveryId: string): Promise<void> {
    await this.source.query(`SELECT ${ADD} FROM webhook_deliveries d WHERE d.id = $1`, [deliveryId]);
  }
}

const IS_HEAD = `d.status = 'pending' AND NOT EXISTS (
  SELECT 1 FROM webhook_deliveries earlier WHERE earlier.webhook_id = d.webhook_id AND earlier.lane = d.lane
    AND earlier.status = 'pending' AND earlier.event_position < d.event_position)`;

const NEXT_OF_LANE = prepared(
  'webhook-deliveries.next-of-lane',
  `SELECT head.id FROM webhook_deliveries done CROSS JOIN LATERAL (
     SELECT d.id, d.tries, d.next_attempt_at FROM webhook_deliveries d
     WHERE d.webhook_id = done.webhook_id AND d.lane = done.lane AND d.status = 'pending'
     ORDER BY d.event_position LIMIT 1) head
   WHERE done.id = $1 AND (head.tries = 0 OR head.next_attempt_at <= clock_timestamp())`,
);

const ADD = `graphile_worker.add_job('${DELIVER}', json_build_object('deliveryId', d.id),
  queue_name => 'webhook:' || d.webhook_id || ':' || abs(hashtext(d.lane)::bigint) % ${QUEUES},
  run_at => d.next_attempt_at, job_key => d.id::text, max_attempts => 100)`;

/**
 * How many deliveries one statement ends or removes: less than a second on a busy machine. All of a backlog of a million took longer
 * than a statement may, so that its webhook could not be disabled at all.
 */
export const MOST_ENDED = 5_000;

/** How many attempts a delivery shows, the newest; `MOST_TRIES` counts from its last reset, attempts go on (contract §8.4). */
export const MOST_ATTEMPTS_KEPT = 50;

/** One try. `status` is the target's HTTP status, null when there was no response. */
export interface Attempt {
  at: string;
  status: number | null;
  error: string | null;
  durationMs: number;
}

export interface DeliveryRow {
  id: string;
  webhookId: string;
  eventId: string;
  /** The event's position in the journal; text, since bigint is wider than a number. */
  eventPosition: string;
  type: string;
  status: 'pending' | 'succeeded' | 'failed';
  attempts: Attempt[];
  nextAttemptAt: Date | null;
  createdAt: Date;
}

/** A pending delivery with what is needed to send it. */
export interface DueDelivery {
  id: string;
  webhookId: string;
  url: string;
  disabled: boolean;
  /** Since when the address answers nothing but 404. */
  notFoundSince: Date | null;
  tries: number;
  event: Event;
  traceparent: string | null;
}

@Injectable()
export class WebhookDeliveryRepository extends Repository<WebhookDelivery> {
  constructor(
    @InjectDataSource() source: DataSource,
    private readonly pages: KeysetPagesService,
  ) {
    super(WebhookDelivery, source.manager);
  }

  /** Lists the deliveries in the order of their events. */
  list(webhookId: string, page: PageRequest): Promise<Page<DeliveryRow>> {
    const list = {
      columns: COLUMNS,
      from: 'webhook_deliveries d',
      where: 'd.webhook_id = $1',
      parameters: [webhookId],
      order: [{ column: 'd.event_position', type: 'bigint' }],
      keyOf: (row: DeliveryRow) => [row.eventPosition],
    };
    return this.pages.read<DeliveryRow>(list, page);
  }

  /** SQL: a position as text. */
  async findOfWebhook(webhookId: string, id: string): Promise<DeliveryRow | null> {
    if (!isUuid(webhookId) || !isUuid(id)) return null;
    const [row] = await this.query<DeliveryRow[]>(
      `SELECT ${COLUMNS} FROM webhook_deliveries d WHERE d.id = $1 AND d.webhook_id = $2`,
      [id, webhookId],
    );
    return row ?? null;
  }

  /** SQL: the event as json. Returns null when the delivery has ended, or was deleted with its webhook. */
  async due(id: string): Promise<DueDelivery | null> {
    const [row] = await this.query<DueDelivery[]>(
      `SELECT d.id, d.webhook_id AS "webhookId", w.url, w.disabled, w.not_found_since AS "notFoundSince", d.tries, j.traceparent,
         (SELECT row_to_json(sent) FROM (SELECT ${EVENT_COLUMNS}) AS sent) AS event
       FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
       JOIN journal j ON j.position = d.event_position
       WHERE d.id = $1 AND d.status = 'pending'`,
      [id],
    );
    return row ?? null;
  }

  /**
   * SQL: appends to what the row has. A delivery that has ended meanwhile stays ended, without a next try, when another
   * should follow.
   * @param again in how many seconds the next try follows; null when none does
   */
  async note(
    id: string,
    status: DeliveryRow['status'],
    attempt: Attempt,
    again: number | null,
  ): Promise<void> {
    await this.query(
      `UPDATE webhook_deliveries SET status = CASE $2 WHEN 'pending' THEN status ELSE $2 END, tries = tries + 1,
         next_attempt_at = CASE status WHEN 'pending' THEN now() + make_interval(secs => $4::float8) END,
         attempts = (SELECT jsonb_agg(kept.attempt ORDER BY kept.number)
           FROM jsonb_array_elements(attempts || $3::jsonb) WITH ORDINALITY AS kept (attempt, number)
           WHERE kept.number > jsonb_array_length(attempts) + 1 - ${MOST_ATTEMPTS_KEPT})
       WHERE id = $1`,
      [id, status, JSON.stringify([attempt]), again],
    );
  }

  /**
   * SQL: appends to what the rows have, and has a limit. Ends what is pending for the webhook, in the order of the index of pending
   * rows; its jobs find nothing to send.
   * @returns how many rows, `MOST_ENDED` where there may be more
   */
  async failPending(webhookId: string, attempt: Attempt): Promise<number> {
    const [, ended] = await this.query<[unknown, number]>(
      `UPDATE webhook_deliveries d SET status = 'failed', next_attempt_at = NULL, attempts = d.attempts || $2::jsonb
       FROM (SELECT id, event_position FROM webhook_deliveries WHERE webhook_id = $1 AND status = 'pending'
             ORDER BY lane, event_position LIMIT ${MOST_ENDED}) AS part
       WHERE d.id = part.id AND d.event_position = part.event_position`,
      [webhookId, JSON.stringify([attempt])],
    );
    return ended;
  }

  /** SQL: has a limit. Removes the log of the webhook. @returns how many rows, `MOST_ENDED` where there may be more */
  async removeOf(webhookId: string): Promise<number> {
    const [, removed] = await this.query<[unknown, number]>(
      `DELETE FROM webhook_deliveries d
       USING (SELECT id, event_position FROM webhook_deliveries WHERE webhook_id = $1
              ORDER BY event_position LIMIT ${MOST_ENDED}) AS part
       WHERE d.id = part.id AND d.event_position = part.event_position`,
      [webhookId],
    );
    return removed;
  }

  /** Makes the delivery pending again, with all its tries. */
  async reset(id: string): Promise<void> {
    await this.update({ id }, { status: 'pending', tries: 0, nextAttemptAt: () => 'now()' });
  }
}

const COLUMNS = `d.id, d.webhook_id AS "webhookId", d.event_id AS "eventId",
  d.event_position::text AS "eventPosition", d.type, d.status, d.attempts,
  d.next_attempt_at AS "nextAttemptAt", d.created_at AS "createdAt"`;
