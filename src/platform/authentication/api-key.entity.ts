import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { Role } from './principal.js';
import { Session } from './session.entity.js';
import { User } from './user.entity.js';

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
