import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A request with an idempotency key, and its answer once there is one (contract §1). */
@Entity('idempotency_keys')
@Index('idempotency_keys_by_age', ['claimedAt'])
export class IdempotencyKey {
  @PrimaryColumn({ type: 'uuid', name: 'caller_id', primaryKeyConstraintName: 'idempotency_keys_pk' })
  callerId!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'idempotency_keys_pk' })
  key!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'idempotency_keys_pk' })
  path!: string;

  @Column({ type: 'bytea', name: 'request_hash' })
  requestHash!: Buffer;

  @Column({ type: 'uuid' })
  claim!: string;

  @Column({ type: 'timestamptz', name: 'claimed_at', precision: 3, default: () => 'now()' })
  claimedAt!: Date;

  /** null while the request runs. */
  @Column({ type: 'integer', nullable: true })
  status!: number | null;

  @Column({ type: 'jsonb', nullable: true })
  headers!: Record<string, string> | null;

  @Column({ type: 'text', nullable: true })
  body!: string | null;

  /** The project that the path led to; null where it led to none. */
  @Column({ type: 'uuid', name: 'project_id', nullable: true })
  projectId!: string | null;
}
