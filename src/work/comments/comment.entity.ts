import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Who can have written a comment (spec §5.4). */
export const authorTypes = ['User', 'Agent', 'System'] as const;
export type AuthorType = (typeof authorTypes)[number];

/** What someone said about an issue. The author's name stays as it was then. */
@Entity('comments')
export class CommentEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'issue_id' }) issueId!: string;
  @Column('text') content!: string;
  @Column('text', { name: 'author_type' }) authorType!: AuthorType;
  @Column('uuid', { name: 'author_id', nullable: true }) authorId!: string | null;
  @Column('text', { name: 'author_name' }) authorName!: string;
  @Column({ type: 'timestamptz', name: 'created_at', insert: false }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'updated_at', insert: false }) updatedAt!: Date;
}
