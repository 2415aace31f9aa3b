import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Gate } from './gate.entity.js';

/** The sealed arguments of a call that waits for its approval. */
@Entity('gate_arguments')
export class GateArguments {
  @ForeignKey(() => Gate, { name: 'gate_arguments_gate_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'gate_id', primaryKeyConstraintName: 'gate_arguments_pk' })
  gateId!: string;

  @Column({ type: 'text', default: 'arguments' })
  name!: string;

  @Column({ type: 'text' })
  sealed!: string;
}
