import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { InstalledServer } from '../server-records/server-records.entities.js';

/** The result of a verification. */
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
  byType!: string;

  @Column({ type: 'uuid', name: 'by_id', nullable: true })
  byId!: string | null;

  @Column({ type: 'text', name: 'by_name' })
  byName!: string;

  @Column({ type: 'jsonb' })
  result!: unknown;
}
