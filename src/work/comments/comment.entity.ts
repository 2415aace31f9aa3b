import { Check, Column, type ColumnType, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Issue } from '../issue-status/issue.entity.js';

/** The kinds of authors of comments (contract §5.4). */
export const authorTypes = ['User', 'Agent', 'System'] as const;
export type AuthorType = (typeof authorTypes)[number];

/** A comment on an issue (contract §5.4). The author's name stays as it was when the comment was written. */
@Entity('comments')
@Index('comments_of_issue', ['issueId', 'createdAt', 'id'])
@Check(
  'comments_author_type_known',
  `(author_type = ANY (ARRAY['User'::text, 'Agent'::text, 'System'::text]))`,
)
export class Comment {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'comments_pk' })
  id!: string;

  @ForeignKey(() => Issue, { name: 'comments_issue_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'issue_id' })
  issueId!: string;

  @Column({ type: 'text' })
  content!: string;

  @Column({ type: 'text', name: 'author_type' })
  authorType!: AuthorType;

  @Column({ type: 'uuid', name: 'author_id', nullable: true })
  authorId!: string | null;

  @Column({ type: 'text', name: 'author_name' })
  authorName!: string;

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

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
