import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A software agent. A retired one keeps its row, so that its name stays in the records. */
@Entity('agents')
export class AgentEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') name!: string;
  @Column('text') description!: string;
  @Column('integer', { name: 'max_concurrent_issues' }) maxConcurrentIssues!: number;
  @Column('boolean') disabled!: boolean;
  @Column('timestamptz', { name: 'retired_at', nullable: true }) retiredAt!: Date | null;
  @Column('timestamptz', { name: 'last_heartbeat_at', nullable: true }) lastHeartbeatAt!: Date | null;
  @Column({ type: 'timestamptz', name: 'created_at', insert: false }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at', insert: false }) updatedAt!: Date;
}
