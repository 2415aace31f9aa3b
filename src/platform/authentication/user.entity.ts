import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Role } from './principal.js';

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
