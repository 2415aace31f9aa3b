import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { DatabaseService } from '../../../../platform/database/database.service.js';
import { readKeysetPage } from '../../../../platform/database/keyset.js';
import type { Page, PageRequest } from '../../../../platform/http/pages/page.js';
import { EVENT_COLUMNS, type Event } from '../../stream/event.js';
import { MOST_ATTEMPTS_KEPT } from './delivery-tries.js';

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
  tries: number;
  event: Event;
  traceparent: string | null;
}

@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: DatabaseService) {}

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
    return readKeysetPage<DeliveryRow>(this.database, list, page);
  }

  async find(webhookId: string, id: string): Promise<DeliveryRow | null> {
    if (!isUuid(webhookId) || !isUuid(id)) return null;
    return this.database.row<DeliveryRow>(
      `SELECT ${COLUMNS} FROM webhook_deliveries d WHERE d.id = $1 AND d.webhook_id = $2`,
      [id, webhookId],
    );
  }

  /** Returns null when the delivery has ended, or was deleted with its webhook. */
  async due(id: string): Promise<DueDelivery | null> {
    return this.database.row<DueDelivery>(
      `SELECT d.id, d.webhook_id AS "webhookId", w.url, w.disabled, d.tries, j.traceparent,
         (SELECT row_to_json(sent) FROM (SELECT ${EVENT_COLUMNS}) AS sent) AS event
       FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
       JOIN journal j ON j.position = d.event_position
       WHERE d.id = $1 AND d.status = 'pending'`,
      [id],
    );
  }

  /** @param again in how many seconds the next try follows; null when none does */
  async note(
    id: string,
    status: DeliveryRow['status'],
    attempt: Attempt,
    again: number | null,
  ): Promise<void> {
    await this.database.change(
      `UPDATE webhook_deliveries SET status = $2, tries = tries + 1,
         next_attempt_at = now() + make_interval(secs => $4::float8),
         attempts = (SELECT jsonb_agg(kept.attempt ORDER BY kept.number)
           FROM jsonb_array_elements(attempts || $3::jsonb) WITH ORDINALITY AS kept (attempt, number)
           WHERE kept.number > jsonb_array_length(attempts) + 1 - ${MOST_ATTEMPTS_KEPT})
       WHERE id = $1`,
      [id, status, JSON.stringify([attempt]), again],
    );
  }

  /** Makes the delivery pending again, with all its tries. */
  async reset(id: string): Promise<void> {
    await this.database.change(
      `UPDATE webhook_deliveries SET status = 'pending', tries = 0, next_attempt_at = now() WHERE id = $1`,
      [id],
    );
  }
}

const COLUMNS = `d.id, d.webhook_id AS "webhookId", d.event_id AS "eventId",
  d.event_position::text AS "eventPosition", d.type, d.status, d.attempts,
  d.next_attempt_at AS "nextAttemptAt", d.created_at AS "createdAt"`;
