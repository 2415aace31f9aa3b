import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { whole } from '../database/schema-versions.js';

/** Up to which position the journal has been deleted: one row. */
@Entity('journal_pruned')
@Check('journal_pruned_one_row', 'only_row')
export class JournalPruned {
  @PrimaryColumn({
    type: 'boolean',
    name: 'only_row',
    default: true,
    primaryKeyConstraintName: 'journal_pruned_pk',
  })
  onlyRow!: boolean;

  @Column({ type: 'bigint', default: 0 })
  position!: string;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  until!: Date | null;
}

/** A month of a table that has been archived, so that it may be dropped. */
@Entity('archived_months')
export class ArchivedMonth {
  @PrimaryColumn({ type: 'text', name: 'table_name', primaryKeyConstraintName: 'archived_months_pk' })
  tableName!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'archived_months_pk' })
  month!: string;

  @Column({ type: 'text', name: 'from_bound' })
  fromBound!: string;

  @Column({ type: 'text', name: 'to_bound' })
  toBound!: string;

  @Column({ ...whole })
  rows!: number;

  @Column({ type: 'text' })
  sha256!: string;

  @Column({ type: 'timestamptz', name: 'archived_at', precision: 3, default: () => 'now()' })
  archivedAt!: Date;

  @Column({ type: 'timestamptz', name: 'dropped_at', precision: 3, nullable: true })
  droppedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'restored_at', precision: 3, nullable: true })
  restoredAt!: Date | null;
}
