import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Actor } from '../../platform/journal/journal.service.js';
import { InstalledServer } from '../server-records/server-records.entities.js';
import type { Verification } from '../server-records/verification.js';

/** The result of a verification, without the names of the tools, and who started it. */
@Entity('server_verifications')
@Index('server_verifications_of_server', { synchronize: false }) // DESC
export class ServerVerification {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'server_verifications_pk' })
  id!: string;

  @ForeignKey(() => InstalledServer, { name: 'server_verifications_server_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'server_id' })
  serverId!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  at!: Date;

  @Column({ type: 'text', name: 'by_type' })
  byType!: Actor['type'];

  @Column({ type: 'uuid', name: 'by_id', nullable: true })
  byId!: string | null;

  @Column({ type: 'text', name: 'by_name' })
  byName!: string;

  @Column({ type: 'jsonb' })
  result!: Verification;
}
