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

const LONGEST = 255;
const LONGEST_EXTENSION = 20;
/** Control characters, lone surrogates, bidirectional controls, line and paragraph separators, and both slashes. */
const STRIPPED = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}/\\]/gu;

/**
 * Returns the name of an attachment for display (contract §5.4). The name is data: nothing is found, stored or executed
 * by it. It has at most 255 characters and keeps its extension; it is `file` when no character is left.
 * @param sent as the client sent it
 */
export function attachmentNameOf(sent: string): string {
  const name = sent.replace(STRIPPED, '').trim();
  if (/^\.*$/.test(name)) return 'file';
  return shortened(name);
}

function shortened(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= LONGEST) return name;
  const dot = characters.lastIndexOf('.');
  const isExtension = dot > 0 && characters.length - dot <= LONGEST_EXTENSION;
  const extension = isExtension ? characters.slice(dot) : [];
  return [...characters.slice(0, LONGEST - extension.length), ...extension].join('');
}

/** How many bytes at the beginning of a file are examined. */
export const BEGINNING_BYTES = 4_100;

/** Image types that cannot run script, with the only beginnings accepted: file-type skips over tags of other formats. */
const BEGINNINGS: Record<string, string[]> = {
  'image/png': ['\x89PNG\r\n\x1a\n'],
  'image/jpeg': ['\xff\xd8\xff'],
  'image/gif': ['GIF87a', 'GIF89a'],
  'image/webp': ['RIFF'],
};

/** Marks of another format in the same file, which a lenient reader would honour. */
const OTHER_FORMATS = /<!doctype|<\/?(?:html|head|body|script|svg|iframe|object|embed|style|math)\b|%PDF-/i;

/**
 * Returns whether a browser may show the file inline (contract §5.4): its bytes are the PNG, JPEG, GIF or WebP that its
 * content type names. SVG never qualifies, since it can contain script.
 */
export async function isInlineImage(contentType: string, beginning: Buffer): Promise<boolean> {
  const text = beginning.toString('latin1');
  const ways = Object.hasOwn(BEGINNINGS, contentType) ? BEGINNINGS[contentType]! : [];
  if (!ways.some((way) => text.startsWith(way)) || OTHER_FORMATS.test(text)) return false;
  // Loaded with the first image, since the start does not need it.
  const { fileTypeFromBuffer } = await import('file-type');
  return (await fileTypeFromBuffer(beginning))?.mime === contentType;
}
