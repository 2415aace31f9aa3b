import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Agent } from '../../agents/agent.entity.js';

/** A running worker of an agent, by the name it gives itself. */
@Entity('worker_instances')
export class WorkerInstance {
  @ForeignKey(() => Agent, { name: 'worker_instances_agent_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'agent_id', primaryKeyConstraintName: 'worker_instances_pk' })
  agentId!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'worker_instances_pk' })
  worker!: string;

  @Column({ type: 'text' })
  instance!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  since!: Date;

  @Column({ type: 'timestamptz', name: 'seen_at', precision: 3, default: () => 'now()' })
  seenAt!: Date;

  @Column({ type: 'text', array: true, default: [] as never })
  superseded!: string[];
}
