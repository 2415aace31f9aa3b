import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

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

/** Why the worker of an agent fails at present; no row where it does not. */
@Entity('agent_failures')
export class AgentFailure {
  @ForeignKey(() => Agent, { name: 'agent_failures_agent_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'agent_id', primaryKeyConstraintName: 'agent_failures_pk' })
  agentId!: string;

  @Column({ type: 'text' })
  worker!: string;

  @Column({ type: 'text' })
  reason!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  since!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  until!: Date;
}

/** Whether all agents are halted: one row. */
@Entity('agent_halt')
@Check('agent_halt_one_row', 'only_row')
export class AgentHalt {
  @PrimaryColumn({
    type: 'boolean',
    name: 'only_row',
    default: true,
    primaryKeyConstraintName: 'agent_halt_pk',
  })
  onlyRow!: boolean;

  @Column({ type: 'boolean', default: false })
  halted!: boolean;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Column({ type: 'timestamptz', name: 'changed_at', precision: 3, default: () => 'now()' })
  changedAt!: Date;
}

/** Whether all agents are halted, and why. */
export type Halt = Pick<AgentHalt, 'halted' | 'reason'>;
