import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** The first position and the number of events of a month, so that a reader finds its partition. */
@Entity('journal_months')
@Unique('journal_months_position_unique', ['fromPosition'])
export class JournalMonth {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'journal_months_pk' })
  month!: string;

  @Column({ type: 'bigint', name: 'from_position' })
  fromPosition!: string;

  @Column({ type: 'timestamptz', name: 'begun_at', precision: 3 })
  begunAt!: Date;
}
