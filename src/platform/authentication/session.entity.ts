import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { User } from './user.entity.js';

/** A sign-in of a person in a browser. `hash` is that of the cookie. */
@Entity('sessions')
@Index('sessions_by_age', ['createdAt'])
@Index('sessions_of_user', ['userId'])
@Index('sessions_oidc_sid', ['oidcIssuer', 'oidcSid'], { where: '(oidc_sid IS NOT NULL)' })
@Unique('sessions_hash_unique', ['hash'])
export class Session {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'sessions_pk' })
  id!: string;

  @ForeignKey(() => User, { name: 'sessions_user_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'user_id' })
  userId!: string;

  @Column({ type: 'bytea' })
  hash!: Buffer;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3, default: () => 'now()' })
  lastUsedAt!: Date;

  @Column({ type: 'text', nullable: true })
  address!: string | null;

  @Column({ type: 'text', name: 'user_agent', nullable: true })
  userAgent!: string | null;

  @Column({ type: 'text', name: 'oidc_issuer', nullable: true })
  oidcIssuer!: string | null;

  @Column({ type: 'text', name: 'oidc_sid', nullable: true })
  oidcSid!: string | null;

  @Column({ type: 'timestamptz', name: 'confirmed_at', precision: 3, nullable: true })
  confirmedAt!: Date | null;
}
