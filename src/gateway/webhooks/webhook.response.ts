import { ApiProperty } from '@nestjs/swagger';
import type { DeliveryRow } from './webhook-delivery.repository.js';
import { WEBHOOK_ENDS, type WebhookEnd } from './webhook.entities.js';
import type { WebhookRow } from './webhook.repository.js';

/** One try to send an event. */
export class DeliveryAttemptResponse {
  at!: Date;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 500,
    description: 'The HTTP status of the response; null when there was none.',
  })
  status!: number | null;
  /** @example "The target responded with 500." */
  error!: string | null;
  @ApiProperty({ type: 'integer', example: 42 })
  durationMs!: number;
}

/** The delivery of one event to a webhook's target. */
export class DeliveryResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a31 */
  id!: string;
  webhookId!: string;
  /**
   * Sent as `webhook-id`. It is the same for every try, so that the target recognises a repetition.
   * @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11
   */
  eventId!: string;
  /** @example issue.status_changed */
  type!: string;
  @ApiProperty({ enum: ['pending', 'succeeded', 'failed'] })
  status!: string;
  @ApiProperty({ type: [DeliveryAttemptResponse], description: 'Oldest first; the last 50.' })
  attempts!: DeliveryAttemptResponse[];
  nextAttemptAt!: Date | null;
  createdAt!: Date;

  static from(row: DeliveryRow): DeliveryResponse {
    const { id, webhookId, eventId, type, status, attempts, nextAttemptAt, createdAt } = row;
    const fields = { id, webhookId, eventId, type, status, attempts, nextAttemptAt, createdAt };
    return Object.assign(new DeliveryResponse(), fields);
  }
}

/** A webhook without its secret. */
export class WebhookResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a21 */
  id!: string;
  /** @example https://example.com/hooks/work */
  url!: string;
  description!: string;
  @ApiProperty({ type: 'array', items: { type: 'string' }, nullable: true, example: ['issue.*'] })
  eventTypes!: string[] | null;
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: null })
  projectId!: string | null;
  disabled!: boolean;
  @ApiProperty({
    enum: WEBHOOK_ENDS,
    nullable: true,
    description:
      'Why the service has disabled it: its address answered 410 Gone, or nothing but 404 for a day. Null otherwise.',
  })
  disabledReason!: WebhookEnd | null;
  createdAt!: Date;
  updatedAt!: Date;

  static from(row: WebhookRow): WebhookResponse {
    const { id, url, description, eventTypes, projectId, disabled, disabledReason } = row;
    const { createdAt, updatedAt } = row;
    const fields = { id, url, description, eventTypes, projectId, disabled, disabledReason };
    return Object.assign(new WebhookResponse(), fields, { createdAt, updatedAt });
  }
}

/** A webhook with its new secret. No other response has the secret. */
export class WebhookWithSecretResponse extends WebhookResponse {
  /**
   * Signs the deliveries, as Standard Webhooks define it.
   * @example whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=
   */
  secret!: string;

  static of({ row, secret }: { row: WebhookRow; secret: string }): WebhookWithSecretResponse {
    return Object.assign(new WebhookWithSecretResponse(), WebhookResponse.from(row), { secret });
  }
}
