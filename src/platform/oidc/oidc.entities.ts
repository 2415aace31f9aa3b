import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Session, User } from '../authentication/authentication.entities.js';

/** An account at the identity provider and the user that it signs in. */
@Entity('user_identities')
@Unique('user_identities_of_user', ['userId', 'issuer'])
export class UserIdentity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'user_identities_pk' })
  issuer!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'user_identities_pk' })
  subject!: string;

  @ForeignKey(() => User, { name: 'user_identities_user_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'user_id' })
  userId!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

/** A person at a provider. */
export type Identity = Pick<UserIdentity, 'issuer' | 'subject'>;

/** A sign-in that has begun at the identity provider and has not come back. */
@Entity('oidc_sign_ins')
@Index('oidc_sign_ins_created', ['createdAt'])
@Index('oidc_sign_ins_session', ['sessionId'], { where: '(session_id IS NOT NULL)' })
export class OidcSignIn {
  @PrimaryColumn({ type: 'bytea', name: 'state_hash', primaryKeyConstraintName: 'oidc_sign_ins_pk' })
  stateHash!: Buffer;

  @Column({ type: 'bytea', name: 'browser_hash' })
  browserHash!: Buffer;

  @Column({ type: 'text', name: 'return_to' })
  returnTo!: string;

  /** The session that it is to confirm; null for a new one. */
  @ForeignKey(() => Session, { name: 'oidc_sign_ins_session_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'session_id', nullable: true })
  sessionId!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

/** A logout token that has been used, so that it is not used twice. */
@Entity('oidc_logouts')
@Index('oidc_logouts_created', ['createdAt'])
export class OidcLogout {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'oidc_logouts_pk' })
  issuer!: string;

  @PrimaryColumn({ type: 'text', name: 'token_id', primaryKeyConstraintName: 'oidc_logouts_pk' })
  tokenId!: string;

  @Column({ type: 'text', nullable: true })
  subject!: string | null;

  @Column({ type: 'text', nullable: true })
  sid!: string | null;

  @Column({ type: 'timestamptz', name: 'issued_at', precision: 3 })
  issuedAt!: Date;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
