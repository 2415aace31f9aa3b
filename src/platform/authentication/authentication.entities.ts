import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { whole } from '../database/schema-versions.js';
import type { Role } from './principals-and-roles.js';

/** A person who signs in. One who has left is deactivated and not deleted, because what they did names them. */
@Entity('users')
@Index('users_email_unique', { synchronize: false }) // expression
@Check(
  'users_role_known',
  `(role = ANY (ARRAY['Viewer'::text, 'Editor'::text, 'Admin'::text, 'Owner'::text]))`,
)
export class User {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'users_pk' })
  id!: string;

  @Column({ type: 'text' })
  email!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  role!: Role;

  /** Read by name only, to check a password. */
  @Column({ type: 'text', name: 'password_hash', nullable: true, select: false })
  passwordHash!: string | null;

  @Column({ type: 'timestamptz', name: 'disabled_at', precision: 3, nullable: true })
  disabledAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;

  /** The Owner of the first start. */
  @Column({ type: 'boolean', name: 'is_bootstrap', default: false })
  isBootstrap!: boolean;
}

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

/** A key of a user or of an agent: the hash of it, and never the key. */
@Entity('api_keys')
@Index('api_keys_agent', ['agentId'], { where: '(agent_id IS NOT NULL)' })
@Index('api_keys_parent', ['parentKeyId'], { where: '(parent_key_id IS NOT NULL)' })
@Index('api_keys_session', ['sessionId'], { where: '(session_id IS NOT NULL)' })
@Index('api_keys_to_warn_of', ['expiresAt'], {
  where: '((expiry_warned_at IS NULL) AND (session_id IS NULL))',
})
@Index('api_keys_user', ['userId'], { where: '(user_id IS NOT NULL)' })
@Unique('api_keys_hash_unique', ['hash'])
@Check('api_keys_one_owner', '(num_nonnulls(user_id, agent_id) = 1)')
@Check(
  'api_keys_role_known',
  `(role = ANY (ARRAY['Viewer'::text, 'Editor'::text, 'Admin'::text, 'Owner'::text]))`,
)
export class ApiKey {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'api_keys_pk' })
  id!: string;

  @ForeignKey(() => User, { name: 'api_keys_user_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'user_id', nullable: true })
  userId!: string | null;

  // A key may belong to an agent, whose module is above this one.
  @ForeignKey('agents', { name: 'api_keys_agent_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'agent_id', nullable: true })
  agentId!: string | null;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  prefix!: string;

  @Column({ type: 'bytea' })
  hash!: Buffer;

  @Column({ type: 'text', nullable: true })
  role!: Role | null;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3, nullable: true })
  lastUsedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** The session that an elevated key belongs to and is deleted with. */
  @ForeignKey(() => Session, { name: 'api_keys_session_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'session_id', nullable: true })
  sessionId!: string | null;

  /** The key of the same user that this one was made with. */
  @ForeignKey(() => ApiKey, { name: 'api_keys_parent_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'parent_key_id', nullable: true })
  parentKeyId!: string | null;

  @Column({ type: 'timestamptz', name: 'expiry_warned_at', precision: 3, nullable: true })
  expiryWarnedAt!: Date | null;
}

/** How many passwords were wrong, by address or account; rate-limiter-flexible writes it. */
@Entity('login_failures')
export class LoginFailure {
  @PrimaryColumn({ type: 'varchar', length: 255, primaryKeyConstraintName: 'login_failures_pk' })
  key!: string;

  @Column({ type: 'integer', default: 0 })
  points!: number;

  @Column({ ...whole, nullable: true })
  expire!: number | null;
}
