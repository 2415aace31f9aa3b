import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { whole } from '../../platform/database/whole.js';
import { Issue } from '../issue-status/issue.entity.js';

/** A file of an issue; its bytes are in the store under `storageKey`. */
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

  @Column({ type: 'boolean', name: 'is_raster_image' })
  isRasterImage!: boolean;

  @Column({ ...whole })
  size!: number;

  @Column({ type: 'text' })
  sha256!: string;

  @Column({ type: 'text', name: 'uploaded_by_type' })
  uploadedByType!: string;

  @Column({ type: 'uuid', name: 'uploaded_by_id', nullable: true })
  uploadedById!: string | null;

  @Column({ type: 'text', name: 'uploaded_by_name' })
  uploadedByName!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

/** Bytes in the store that no row names; a trigger and uploads write it, a sweep removes them. */
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
