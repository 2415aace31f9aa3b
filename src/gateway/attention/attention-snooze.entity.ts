import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../../platform/authentication/authentication.entities.js';

/** A cause that a user has put off until a time (contract §8.7), as the user saw it then. */
@Entity('attention_snoozes')
@Index('attention_snoozes_by_end', ['until'])
export class AttentionSnooze {
  @ForeignKey(() => User, { name: 'attention_snoozes_user_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'user_id', primaryKeyConstraintName: 'attention_snoozes_pk' })
  userId!: string;

  /** The id of the item, such as `review:<issue>`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'attention_snoozes_pk' })
  cause!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  since!: Date;

  /** How many issues waited for it. */
  @Column({ type: 'integer' })
  issues!: number;

  /** Its place in `severities`: 0 is the most serious. */
  @Column({ type: 'smallint' })
  severity!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  until!: Date;
}
