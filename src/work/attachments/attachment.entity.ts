import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A file on an issue; its bytes lie in the store under the same id. */
@Entity('attachments')
export class AttachmentEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'issue_id' }) issueId!: string;
  @Column('text') filename!: string;
  @Column('text', { name: 'content_type' }) contentType!: string;
  /** Its bytes are the raster image that the content type says. */
  @Column('boolean', { name: 'is_raster_image' }) isRasterImage!: boolean;
  /** In bytes; text, since bigint is wider than a number. */
  @Column('bigint') size!: string;
  /** In hex. */
  @Column('text') sha256!: string;
  @Column('text', { name: 'uploaded_by_type' }) uploadedByType!: 'user' | 'agent' | 'system';
  @Column('uuid', { name: 'uploaded_by_id', nullable: true }) uploadedById!: string | null;
  @Column('text', { name: 'uploaded_by_name' }) uploadedByName!: string;
  @Column({ type: 'timestamptz', name: 'created_at', insert: false }) createdAt!: Date;
}
