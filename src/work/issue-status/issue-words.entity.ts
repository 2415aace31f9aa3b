import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Issue } from './issue.entity.js';

/** The terms that a search finds an issue by; a trigger writes it. */
@Entity('issue_words')
@Index('issue_words_search', { synchronize: false }) // WITH
export class IssueWords {
  @ForeignKey(() => Issue, { name: 'issue_words_issue_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'issue_id', primaryKeyConstraintName: 'issue_words_pk' })
  issueId!: string;

  @Column({ type: 'tsvector' })
  words!: string;
}
