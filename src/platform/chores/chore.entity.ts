import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The row of the backups, which a command of the operator makes and the service does not (`scripts/backup`). */
export const BACKUP = 'backup';
/** The row of the restores on trial, which another command makes (`scripts/restore`). */
export const RESTORE_DRILL = 'restore drill';

/** When a periodic task ran last, so that one process at a time runs it, and how that ended. */
@Entity('chores')
export class Chore {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'chores_pk' })
  name!: string;

  @Column({ type: 'timestamptz', name: 'ran_at', precision: 3 })
  ranAt!: Date;

  /** null before the first success. */
  @Column({ type: 'timestamptz', name: 'succeeded_at', precision: 3, nullable: true })
  succeededAt!: Date | null;

  /** Since the last success. */
  @Column({ type: 'integer', default: 0 })
  failures!: number;
}
