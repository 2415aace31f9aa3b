import { ApiProperty } from '@nestjs/swagger';
import type { WebhookRow } from '../webhooks.repository.js';

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
  createdAt!: Date;
  updatedAt!: Date;

  static from(row: WebhookRow): WebhookResponse {
    const { id, url, description, eventTypes, projectId, disabled, createdAt, updatedAt } = row;
    const fields = { id, url, description, eventTypes, projectId, disabled, createdAt, updatedAt };
    return Object.assign(new WebhookResponse(), fields);
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
