import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Role } from '../roles.js';

/** A key of a user or an agent; only its hash is kept (spec §2). */
@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'user_id', nullable: true }) userId!: string | null;
  @Column('uuid', { name: 'agent_id', nullable: true }) agentId!: string | null;
  @Column('text') name!: string;
  @Column('text') prefix!: string;
  @Column('bytea', { select: false }) hash!: Buffer;
  @Column('text', { nullable: true }) role!: Role | null;
  @Column('timestamptz', { name: 'expires_at', nullable: true }) expiresAt!: Date | null;
  @Column('timestamptz', { name: 'last_used_at', nullable: true }) lastUsedAt!: Date | null;
  @Column({ type: 'timestamptz', name: 'created_at', insert: false }) createdAt!: Date;
}
