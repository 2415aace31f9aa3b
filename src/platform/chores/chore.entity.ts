import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When a periodic task ran last, so that one process at a time runs it. */
@Entity('chores')
export class Chore {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'chores_pk' })
  name!: string;

  @Column({ type: 'timestamptz', name: 'ran_at', precision: 3 })
  ranAt!: Date;
}
