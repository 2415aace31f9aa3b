import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A software agent. One that is retired keeps its row, because what it did names it. */
@Entity('agents')
@Check(
  'agents_max_concurrent_issues_range',
  '((max_concurrent_issues >= 1) AND (max_concurrent_issues <= 1000))',
)
export class Agent {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'agents_pk' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', default: '' })
  description!: string;

  @Column({ type: 'integer', name: 'max_concurrent_issues', default: 10 })
  maxConcurrentIssues!: number;

  @Column({ type: 'boolean', default: false })
  disabled!: boolean;

  @Column({ type: 'timestamptz', name: 'retired_at', precision: 3, nullable: true })
  retiredAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'last_heartbeat_at', precision: 3, nullable: true })
  lastHeartbeatAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;

  @Column({ type: 'boolean', name: 'tools_require_lease', default: false })
  toolsRequireLease!: boolean;
}
