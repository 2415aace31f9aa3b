import {
  Check,
  Column,
  type ColumnType,
  Entity,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';

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

/** One event. Rows are only added; months are partitions that are dropped whole. */
@Entity('journal')
@Index('journal_actor', ['actorId', 'position'], { where: '(actor_id IS NOT NULL)' })
@Index('journal_id', ['id'])
@Index('journal_issue', ['issueId', 'position'], { where: '(issue_id IS NOT NULL)' })
@Index('journal_of_no_issue', ['createdAt', 'position'], { where: '(issue_id IS NULL)' })
@Index('journal_project', ['projectId', 'position'], { where: '(project_id IS NOT NULL)' })
@Index('journal_subject', ['subjectId', 'position'], { where: '(subject_id IS NOT NULL)' })
@Index('journal_time', ['createdAt'], { type: 'brin' })
@Index('journal_type', ['type', 'position'])
@Check('journal_actor_type_known', `(actor_type = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text]))`)
export class JournalEntry {
  @PrimaryGeneratedColumn('increment', { type: 'bigint', primaryKeyConstraintName: 'journal_pk' })
  position!: string;

  @Column({ type: 'uuid' })
  id!: string;

  @Column({
    type: 'xid8' as ColumnType,
    name: 'transaction_id',
    default: () => 'pg_current_xact_id()',
    select: false,
    insert: false,
    update: false,
  })
  transactionId!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'text' })
  type!: string;

  @Column({ type: 'text', name: 'actor_type' })
  actorType!: string;

  @Column({ type: 'uuid', name: 'actor_id', nullable: true })
  actorId!: string | null;

  @Column({ type: 'text', name: 'actor_name' })
  actorName!: string;

  @Column({ type: 'text', name: 'subject_type' })
  subjectType!: string;

  @Column({ type: 'text', name: 'subject_id', nullable: true })
  subjectId!: string | null;

  @Column({ type: 'uuid', name: 'project_id', nullable: true })
  projectId!: string | null;

  @Column({ type: 'uuid', name: 'issue_id', nullable: true })
  issueId!: string | null;

  @Column({ type: 'jsonb', default: {} as never })
  data!: unknown;

  @Column({ type: 'text', name: 'request_id', nullable: true })
  requestId!: string | null;

  @Column({ type: 'text', nullable: true })
  origin!: string | null;

  @Column({ type: 'text', nullable: true })
  traceparent!: string | null;
}
