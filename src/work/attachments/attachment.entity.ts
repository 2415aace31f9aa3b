import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { whole } from '../../platform/database/schema-versions.js';
import type { Actor } from '../../platform/journal/journal.service.js';
import { Issue } from '../issue-status/issue.entity.js';

/** A file on an issue. Its bytes are in the store under the same id. */
@Entity('attachments')
@Index('attachments_of_issue', ['issueId', 'createdAt', 'id'])
@Check('attachments_size_positive', '(size >= 0)')
export class Attachment {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'attachments_pk' })
  id!: string;

  @ForeignKey(() => Issue, { name: 'attachments_issue_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'issue_id' })
  issueId!: string;

  @Column({ type: 'text' })
  filename!: string;

  @Column({ type: 'text', name: 'content_type' })
  contentType!: string;

  /** Whether the bytes are the raster image that the content type names. */
  @Column({ type: 'boolean', name: 'is_raster_image' })
  isRasterImage!: boolean;

  /** In bytes. */
  @Column({ ...whole })
  size!: number;

  /** In hex. */
  @Column({ type: 'text' })
  sha256!: string;

  @Column({ type: 'text', name: 'uploaded_by_type' })
  uploadedByType!: Actor['type'];

  @Column({ type: 'uuid', name: 'uploaded_by_id', nullable: true })
  uploadedById!: string | null;

  @Column({ type: 'text', name: 'uploaded_by_name' })
  uploadedByName!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

/**
 * A file in the store that has no row in `attachments`: that of a running upload, or an orphaned one to be removed. A trigger
 * inserts the rows of deleted attachments, however they were deleted.
 */
@Entity('attachment_leftovers')
@Index('attachment_leftovers_due', ['removeAt'])
export class AttachmentLeftover {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'attachment_leftovers_pk' })
  id!: string;

  @Column({ type: 'boolean', name: 'is_upload' })
  isUpload!: boolean;

  @Column({ type: 'timestamptz', name: 'remove_at' })
  removeAt!: Date;
}
