import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

/** Why the service itself disables a webhook: its address answered 410, or nothing but 404 for a day. */
export const WEBHOOK_ENDS = ['gone', 'not_found'] as const;
export type WebhookEnd = (typeof WEBHOOK_ENDS)[number];

/** An address that gets events. */
@Entity('webhooks')
@Check('webhooks_disabled_reason_known', `(disabled_reason = ANY (ARRAY['gone'::text, 'not_found'::text]))`)
export class Webhook {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'webhooks_pk' })
  id!: string;

  @Column({ type: 'text' })
  url!: string;

  @Column({ type: 'text', default: '' })
  description!: string;

  @Column({ type: 'text', name: 'event_types', array: true, nullable: true })
  eventTypes!: string[] | null;

  @Column({ type: 'uuid', name: 'project_id', nullable: true })
  projectId!: string | null;

  @Column({ type: 'boolean', default: false })
  disabled!: boolean;

  @Column({ type: 'text', name: 'disabled_reason', nullable: true })
  disabledReason!: WebhookEnd | null;

  @Column({ type: 'timestamptz', name: 'not_found_since', precision: 3, nullable: true })
  notFoundSince!: Date | null;

  @Column({ type: 'bigint', name: 'since_position' })
  sincePosition!: string;

  @Column({ type: 'timestamptz', name: 'previous_until', precision: 3, nullable: true })
  previousUntil!: Date | null;

  /** Null unless it is deleted and still has a log, which is removed in parts. */
  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3, nullable: true })
  deletedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}

/** A sealed secret that signs deliveries. */
@Entity('webhook_secrets')
@Check('webhook_secrets_name_known', `(name = ANY (ARRAY['CURRENT'::text, 'PREVIOUS'::text]))`)
export class WebhookSecret {
  @ForeignKey(() => Webhook, { name: 'webhook_secrets_webhook_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'webhook_id', primaryKeyConstraintName: 'webhook_secrets_pk' })
  webhookId!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'webhook_secrets_pk' })
  name!: string;

  @Column({ type: 'text' })
  sealed!: string;
}

/** Up to which event deliveries have been made: one row. */
@Entity('webhook_feed')
@Check('webhook_feed_one_row', 'only_row')
export class WebhookFeed {
  @PrimaryColumn({
    type: 'boolean',
    name: 'only_row',
    default: true,
    primaryKeyConstraintName: 'webhook_feed_pk',
  })
  onlyRow!: boolean;

  @Column({ type: 'bigint', default: 0 })
  position!: string;
}

/** One event for one webhook, and how its delivery went. Months are partitions. */
@Entity('webhook_deliveries')
@Index('webhook_deliveries_pending', ['webhookId', 'lane', 'eventPosition'], {
  where: `(status = 'pending'::text)`,
})
@Unique('webhook_deliveries_event_unique', ['webhookId', 'eventPosition'])
@Check(
  'webhook_deliveries_status_known',
  `(status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text]))`,
)
export class WebhookDelivery {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'webhook_deliveries_pk' })
  id!: string;

  @ForeignKey(() => Webhook, { name: 'webhook_deliveries_webhook_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'webhook_id' })
  webhookId!: string;

  @Column({ type: 'uuid', name: 'event_id' })
  eventId!: string;

  @PrimaryColumn({
    type: 'bigint',
    name: 'event_position',
    primaryKeyConstraintName: 'webhook_deliveries_pk',
  })
  eventPosition!: string;

  @Column({ type: 'text' })
  type!: string;

  @Column({ type: 'text' })
  lane!: string;

  @Column({ type: 'text', default: 'pending' })
  status!: string;

  @Column({ type: 'jsonb', default: [] as never })
  attempts!: unknown;

  @Column({ type: 'integer', default: 0 })
  tries!: number;

  @Column({
    type: 'timestamptz',
    name: 'next_attempt_at',
    precision: 3,
    nullable: true,
    default: () => 'now()',
  })
  nextAttemptAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
