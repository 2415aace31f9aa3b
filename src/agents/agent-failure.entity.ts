import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Agent } from './agent.entity.js';

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
