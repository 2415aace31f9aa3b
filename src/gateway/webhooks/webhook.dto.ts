import { ApiProperty, PartialType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsUrl,
  IsUUID,
} from 'class-validator';
import { IsText } from '../../platform/http/text-and-instant-rules.js';
import { MayBeAbsent, MayBeNull } from '../../platform/http/validation.pipe.js';
import { typesAndFamilies } from '../../platform/journal/event-types.js';
import type { DeliveryRow } from './webhook-delivery.repository.js';
import { WEBHOOK_ENDS, type WebhookEnd } from './webhook.entities.js';
import type { WebhookRow } from './webhooks-and-secrets.repository.js';

const urlRule = {
  protocols: ['http', 'https'],
  require_protocol: true,
  require_tld: false,
  disallow_auth: true,
};

export class CreateWebhookRequest {
  /**
   * Where events are sent: a public address, or one that OUTBOUND_ALLOWED_HOSTS names. Redirects are not followed.
   * @example https://example.com/hooks/work
   */
  @IsUrl(urlRule, { message: 'must be an http or https address without a user name' })
  @IsText({ min: 1, max: 2000, unit: 'bytes' })
  url!: string;

  /** @example "Starts a build when an issue is closed" */
  @MayBeAbsent()
  @IsText({ min: 0, max: 1000, unit: 'codePoints' })
  description?: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    nullable: true,
    required: false,
    example: ['issue.*', 'comment.created'],
    description: 'Event types, or areas such as `issue.*`. Without it, or with null, all events are sent.',
  })
  @MayBeNull()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @ArrayUnique()
  @IsIn(typesAndFamilies, {
    each: true,
    message: 'must hold only types of events, such as issue.created, or areas, such as issue.*',
  })
  eventTypes?: string[] | null;

  @ApiProperty({
    type: 'string',
    format: 'uuid',
    nullable: true,
    required: false,
    description:
      'Sends only events of this project. Without it, or with null, events of all projects are sent.',
  })
  @MayBeNull()
  @IsUUID()
  projectId?: string | null;
}

export class UpdateWebhookRequest extends PartialType(CreateWebhookRequest, { skipNullProperties: false }) {
  /** A disabled webhook is sent no events. Events of that time are not sent later. */
  @MayBeAbsent()
  @IsBoolean()
  disabled?: boolean;
}

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
