import { ApiProperty } from '@nestjs/swagger';
import type { DeliveryRow } from '../delivery/deliveries.repository.js';

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
