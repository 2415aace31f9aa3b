import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Actor } from '../../platform/journal/journal.service.js';
import { Issue } from '../issue-status/issue.entity.js';

/** The types of stored links. `B BlockedBy A` is stored as `A Blocks B`. */
export type StoredLinkType = 'Blocks' | 'RelatedTo' | 'DuplicateOf';

/** A link from one issue to another (contract §5.5), or the edge from a child to the parent that it holds (§5.9). */
@Entity('issue_links')
@Index('issue_links_of_child', ['sourceIssueId'], { unique: true, where: 'of_child' })
@Index('issue_links_related_unique', { synchronize: false }) // expression
@Index('issue_links_source', ['sourceIssueId', 'linkType'])
@Index('issue_links_target', ['targetIssueId', 'linkType'])
@Index('issue_links_unique', ['sourceIssueId', 'targetIssueId', 'linkType'], {
  unique: true,
  where: `(link_type <> 'RelatedTo'::text)`,
})
@Check('issue_links_of_child_blocks', `((NOT of_child) OR (link_type = 'Blocks'::text))`)
@Check('issue_links_not_to_itself', '(source_issue_id <> target_issue_id)')
@Check(
  'issue_links_type_known',
  `(link_type = ANY (ARRAY['Blocks'::text, 'RelatedTo'::text, 'DuplicateOf'::text]))`,
)
export class IssueLink {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'issue_links_pk' })
  id!: string;

  @ForeignKey(() => Issue, { name: 'issue_links_source_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'source_issue_id' })
  sourceIssueId!: string;

  @ForeignKey(() => Issue, { name: 'issue_links_target_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'target_issue_id' })
  targetIssueId!: string;

  @Column({ type: 'text', name: 'link_type' })
  linkType!: StoredLinkType;

  @Column({ type: 'text', name: 'created_by_type' })
  createdByType!: Actor['type'];

  @Column({ type: 'uuid', name: 'created_by_id', nullable: true })
  createdById!: string | null;

  @Column({ type: 'text', name: 'created_by_name' })
  createdByName!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** Whether a trigger keeps the row for a child. It blocks like any other, and no list of links shows it. */
  @Column({ type: 'boolean', name: 'of_child', default: false })
  ofChild!: boolean;
}
