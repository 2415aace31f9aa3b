import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

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
